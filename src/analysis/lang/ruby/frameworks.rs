//! Methods of a class that run methods of its instances: mailers and jobs of Rails and Sidekiq.

use super::rules::silent;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Methods of a class that run `perform` of a new instance, at once or later.
const PERFORM: &[&str] =
    &["perform_async", "perform_at", "perform_bulk", "perform_in", "perform_inline", "perform_later", "perform_now"];

/// Returns the method of an instance that a call on its class runs.
pub fn member(eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
    let Value::Symbol { symbol, .. } = receiver else { return None };
    if !eval.world.definition(*symbol).kind.is_type() {
        return None;
    }
    let own = eval.own_instance(*symbol);
    if PERFORM.contains(&name) {
        return instance_method(eval, &own, "perform");
    }
    if !is_mailer(eval, &own) {
        return None;
    }
    if name == "with" {
        return Some(Value::Function { params: [].into(), result: receiver.clone().into() });
    }
    instance_method(eval, &own, name).or_else(|| Some(silent()))
}

fn instance_method(eval: &mut Evaluator<'_>, own: &Value, name: &str) -> Option<Value> {
    eval.members(own, name).into_iter().next().map(|member| Value::symbol(member.symbol))
}

/// Returns whether a class is a mailer, by its bases.
fn is_mailer(eval: &mut Evaluator<'_>, own: &Value) -> bool {
    eval.ancestors(own).iter().any(|base| match base {
        Value::ExternalInstance { name, .. } => name.starts_with("ActionMailer") || &**name == "ApplicationMailer",
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::resolve::tests::calls_from;

    #[test]
    fn a_call_of_a_mailer_or_job_runs_a_method_of_its_instances() {
        let text = "class BaseMailer < ActionMailer::Base\nend
class WelcomeMailer < BaseMailer\n  def greet(user); end\nend
class CleanJob < ApplicationJob\n  def perform(days); end\nend
class User\n  def invite\n    WelcomeMailer.greet(self).deliver_later\n    WelcomeMailer.with(user: self).greet
    CleanJob.perform_later(1)\n  end\nend";
        assert_eq!(calls_from(&[("app/a.rb", text)], "User.invite"), ["CleanJob.perform", "WelcomeMailer.greet"]);
    }
}
