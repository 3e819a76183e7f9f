//! Minimization of a smooth convex function whose variables have bounds at zero: L-BFGS (Nocedal, 1980) over the
//! variables that no bound holds, with projected backtracking (Bertsekas, 1982).
//!
//! Own code, because the result has to be the same on every machine and in every version of a dependency.

use std::collections::VecDeque;

use super::directions::Direction;

/// Number of steps that the Hessian is approximated by.
const MEMORY: usize = 20;
/// Maximum number of steps.
const MAX_STEPS: usize = 2_000;
/// Maximum number of halvings of a step.
const MAX_HALVINGS: usize = 40;
/// Share of the predicted decrease that a step must reach.
const SUFFICIENT: f64 = 1e-4;
/// Relative error of the function's value.
const ROUNDING: f64 = 1e-14;

/// The found minimum.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    pub point: Vec<f64>,
    pub steps: usize,
    /// Norm of the projected gradient, relative to that at the start.
    pub residual: f64,
}

/// A step and the change of the gradient.
struct Correction {
    step: Vec<f64>,
    change: Vec<f64>,
}

/// Minimizes `function`, which writes its gradient, from `start` until the norm of the projected gradient is at most
/// `tolerance` times its norm at zero. `directions` has the bounds of the variables.
pub fn minimize(
    start: &[f64],
    directions: &[Direction],
    tolerance: f64,
    function: impl Fn(&[f64], &mut [f64]) -> f64,
) -> Minimum {
    let mut gradient = vec![0.0; start.len()];
    function(&vec![0.0; start.len()], &mut gradient);
    let scale = norm(&projected(&vec![0.0; start.len()], &gradient, directions));
    let mut point: Vec<f64> = start.iter().zip(directions).map(|(value, direction)| direction.clamp(*value)).collect();
    let mut value = function(&point, &mut gradient);
    let mut memory: VecDeque<Correction> = VecDeque::new();
    let mut steps = 0;
    loop {
        let descent = projected(&point, &gradient, directions);
        let residual = norm(&descent) / scale.max(f64::MIN_POSITIVE);
        if residual <= tolerance || steps == MAX_STEPS {
            return Minimum { point, steps, residual };
        }
        let is_free: Vec<bool> = (point.iter().zip(&gradient).zip(directions))
            .map(|((value, slope), direction)| !direction.binds(*value, *slope))
            .collect();
        let direction = newton(&descent, &is_free, &memory);
        let found = backtrack(&point, value, &gradient, &direction, directions, &function);
        let Some((next, next_value, next_gradient)) = found else {
            // No step decreases the value: without memory this is the precision of the numbers.
            if memory.is_empty() {
                return Minimum { point, steps, residual };
            }
            memory.clear();
            continue;
        };
        let step: Vec<f64> = next.iter().zip(&point).map(|(next, last)| next - last).collect();
        let change: Vec<f64> = next_gradient.iter().zip(&gradient).map(|(next, last)| next - last).collect();
        if dot(&step, &change) > 1e-12 * norm(&step) * norm(&change) {
            memory.push_back(Correction { step, change });
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        (point, value, gradient) = (next, next_value, next_gradient);
        steps += 1;
    }
}

/// Returns the gradient without the components that a bound holds.
fn projected(point: &[f64], gradient: &[f64], directions: &[Direction]) -> Vec<f64> {
    (point.iter().zip(gradient).zip(directions))
        .map(|((value, slope), direction)| if direction.binds(*value, *slope) { 0.0 } else { *slope })
        .collect()
}

/// Returns the direction of the quasi-Newton step over the free variables, by the two-loop recursion.
fn newton(gradient: &[f64], is_free: &[bool], memory: &VecDeque<Correction>) -> Vec<f64> {
    let restricted = |values: &[f64]| -> Vec<f64> {
        values.iter().zip(is_free).map(|(value, is_free)| if *is_free { *value } else { 0.0 }).collect()
    };
    // Among the free variables alone a correction may have no positive curvature.
    let corrections: Vec<(Vec<f64>, Vec<f64>, f64)> = (memory.iter())
        .map(|Correction { step, change }| (restricted(step), restricted(change)))
        .map(|(step, change)| {
            let curvature = dot(&step, &change);
            (step, change, curvature)
        })
        .filter(|(step, change, curvature)| *curvature > 1e-12 * norm(step) * norm(change))
        .collect();
    let mut direction = gradient.to_vec();
    let mut factors = Vec::with_capacity(corrections.len());
    for (step, change, curvature) in corrections.iter().rev() {
        let factor = dot(step, &direction) / curvature;
        add(&mut direction, change, -factor);
        factors.push(factor);
    }
    if let Some((_, change, curvature)) = corrections.last() {
        let scale = curvature / dot(change, change);
        direction.iter_mut().for_each(|value| *value *= scale);
    }
    for ((step, change, curvature), factor) in corrections.iter().zip(factors.iter().rev()) {
        let other = dot(change, &direction) / curvature;
        add(&mut direction, step, factor - other);
    }
    direction.iter_mut().zip(is_free).for_each(|(value, is_free)| *value = if *is_free { -*value } else { 0.0 });
    direction
}

/// Returns the first point on the projected path along `direction` with a sufficient decrease, its value and gradient.
fn backtrack(
    point: &[f64],
    value: f64,
    gradient: &[f64],
    direction: &[f64],
    directions: &[Direction],
    function: &impl Fn(&[f64], &mut [f64]) -> f64,
) -> Option<(Vec<f64>, f64, Vec<f64>)> {
    let mut next_gradient = vec![0.0; point.len()];
    let mut length = 1.0;
    for _ in 0..MAX_HALVINGS {
        let along = point.iter().zip(direction).zip(directions);
        let next: Vec<f64> = along.map(|((value, step), bound)| bound.clamp(value + length * step)).collect();
        let predicted: f64 =
            next.iter().zip(point).zip(gradient).map(|((next, last), slope)| (next - last) * slope).sum();
        if predicted < 0.0 {
            let next_value = function(&next, &mut next_gradient);
            if next_value <= value + SUFFICIENT * predicted + ROUNDING * value.abs() {
                return Some((next, next_value, next_gradient));
            }
        }
        length /= 2.0;
    }
    None
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn norm(values: &[f64]) -> f64 {
    dot(values, values).sqrt()
}

fn add(values: &mut [f64], more: &[f64], factor: f64) {
    values.iter_mut().zip(more).for_each(|(value, more)| *value += factor * more);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a quadratic, stretched along its axes, with its minimum at `to`.
    fn stretched(to: &[f64]) -> impl Fn(&[f64], &mut [f64]) -> f64 {
        move |point, gradient| {
            let mut value = 0.0;
            for index in 0..point.len() {
                let (weight, distance) = (10f64.powi(index as i32), point[index] - to[index]);
                value += 0.5 * weight * distance * distance;
                gradient[index] = weight * distance;
            }
            value
        }
    }

    #[test]
    fn free_variables_reach_the_minimum() {
        let to = [1.0, -2.0, 3.0, -4.0, 5.0];
        let found = minimize(&[0.0; 5], &[Direction::Free; 5], 1e-10, stretched(&to));
        assert!(found.residual <= 1e-10 && found.steps < 100, "{found:?}");
        assert!(found.point.iter().zip(&to).all(|(found, to)| (found - to).abs() < 1e-5), "{found:?}");
    }

    #[test]
    fn bounded_variables_stop_at_zero() {
        let bounds = [Direction::Rising, Direction::Rising, Direction::Falling, Direction::Falling];
        let found = minimize(&[1.0, 1.0, -1.0, -1.0], &bounds, 1e-10, stretched(&[1.0, -2.0, 3.0, -4.0]));
        assert_eq!(found.point[1..3], [0.0, 0.0]);
        assert!((found.point[0] - 1.0).abs() < 1e-6 && (found.point[3] + 4.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn minimum_at_the_start_takes_no_step() {
        let found = minimize(&[0.0; 2], &[Direction::Rising; 2], 1e-10, stretched(&[-1.0, -1.0]));
        assert_eq!((found.point, found.steps), (vec![0.0, 0.0], 0));
    }
}
