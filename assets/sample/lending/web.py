"""The pages of the desk."""

from flask import Flask, abort, jsonify, request

from .catalog import Catalog
from .clock import Clock
from .config import Config
from .cookies import BadSignature, read_cookie, sign_cookie
from .loans import LoanDesk, LoanError
from .readers import Register, WrongPassword
from .session import Session, SessionStore

COOKIE = "desk"

app = Flask(__name__)
config = Config.from_environment()
clock = Clock()
register = Register()
sessions = SessionStore(config, clock)
desk = LoanDesk(Catalog(), config, clock)


def current_session() -> Session:
    """Returns the session of the request, or refuses the request."""
    try:
        token = read_cookie(request.cookies.get(COOKIE, ""), config.secret_key)
    except BadSignature:
        abort(401)
    session = sessions.find(token)
    if session is None:
        abort(401)
    return session


@app.post("/login")
def login():
    """Signs a reader in."""
    try:
        reader = register.authenticate(request.form["name"], request.form["password"])
    except WrongPassword:
        abort(403)
    session = sessions.open(reader.name)
    response = jsonify(reader=reader.name)
    response.set_cookie(COOKIE, sign_cookie(session.token, config.secret_key))
    return response


@app.post("/logout")
def logout():
    sessions.close(current_session().token)
    return "", 204


@app.get("/books")
def books():
    """Finds books; no session is needed."""
    found = desk.catalog.search(request.args.get("q", ""))
    return jsonify([vars(book) for book in found])


@app.post("/loans/<isbn>")
def lend(isbn: str):
    session = current_session()
    loan = desk.lend(isbn, session.reader)
    sessions.touch(session)
    return jsonify(due=loan.due.isoformat())


@app.post("/loans/<isbn>/renewal")
def renew(isbn: str):
    """Renews a loan."""
    current_session()
    try:
        loan = desk.renew(isbn)
    except LoanError as error:
        return jsonify(error=str(error)), 409
    return jsonify(due=loan.due.isoformat())


@app.delete("/loans/<isbn>")
def give_back(isbn: str):
    session = current_session()
    cents = desk.give_back(isbn)
    sessions.touch(session)
    return jsonify(fine=cents)
