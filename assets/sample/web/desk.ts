// The browser's side of the desk.

export interface Book {
  isbn: string;
  title: string;
  author: string;
  is_lent: boolean;
}

/** Sends a request, and shows the sign-in form when the session is over. */
async function send(method: string, path: string): Promise<Response> {
  const response = await fetch(path, { method });
  if (response.status === 401) {
    showSignIn();
  }
  return response;
}

export async function findBooks(query: string): Promise<Book[]> {
  const response = await send("GET", `/books?q=${encodeURIComponent(query)}`);
  return response.json();
}

export async function renewLoan(isbn: string): Promise<string> {
  const response = await send("POST", `/loans/${isbn}/renewal`);
  return (await response.json()).due;
}

function showSignIn(): void {
  document.querySelector("form#login")?.removeAttribute("hidden");
}
