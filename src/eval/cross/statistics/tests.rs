//! Compares the statistics with the values of SciPy and statsmodels.

use serde::Deserialize;

use super::*;
use crate::cross::kappa::Agreement;

#[derive(Deserialize)]
struct Expected {
    paired: Vec<Paired>,
    holm: Vec<Holm>,
    power_law: Law,
    kappa: Vec<Kappa>,
}

#[derive(Deserialize)]
struct Paired {
    name: String,
    first: Vec<f64>,
    second: Vec<f64>,
    mean: f64,
    sd: f64,
    median: f64,
    interval: [f64; 2],
    statistic: f64,
    p: f64,
    cohens_d: f64,
    cliffs_delta: f64,
}

#[derive(Deserialize)]
struct Holm {
    p: Vec<f64>,
    adjusted: Vec<f64>,
}

#[derive(Deserialize)]
struct Law {
    points: Vec<(f64, f64)>,
    exponent: f64,
    factor: f64,
    r_squared: f64,
}

#[derive(Deserialize)]
struct Kappa {
    table: [usize; 4],
    kappa: f64,
}

fn expected() -> Expected {
    serde_json::from_str(include_str!("../../../../tests/eval/statistics/expected.json")).unwrap()
}

#[track_caller]
fn assert_close(name: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9, "{name}: {found} instead of {expected}");
    // A small p-value has to agree in its digits too.
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(f64::MIN_POSITIVE) || found.abs() > 1e-6, "{name}");
}

#[test]
fn paired_statistics_equal_scipy() {
    for case in expected().paired {
        let check = |statistic: &str, found: f64, value: f64| {
            assert_close(&format!("{} of {}", statistic, case.name), found, value);
        };
        let pairs = case.first.iter().zip(&case.second);
        let differences: Vec<f64> = pairs.map(|(first, second)| first - second).collect();
        check("mean", mean(&case.first), case.mean);
        check("sd", sd(&case.first), case.sd);
        check("median", median(&case.first).unwrap(), case.median);
        let interval = estimate(&differences);
        check("lower bound", interval.low, case.interval[0]);
        check("upper bound", interval.high, case.interval[1]);
        let test = wilcoxon(&differences);
        check("statistic", test.statistic, case.statistic);
        check("p", test.p, case.p);
        check("d", cohens_d(&differences).unwrap(), case.cohens_d);
        check("delta", cliffs_delta(&case.first, &case.second), case.cliffs_delta);
    }
}

#[test]
fn holm_equals_statsmodels() {
    for case in expected().holm {
        for (found, value) in holm(&case.p).into_iter().zip(case.adjusted) {
            assert_close("p", found, value);
        }
    }
    assert_eq!(holm(&[]), [0.0; 0]);
}

#[test]
fn power_law_equals_scipy() {
    let Law { mut points, exponent, factor, r_squared } = expected().power_law;
    points.push((0.0, 3.0));
    let law = power_law(&points).unwrap();
    assert_close("exponent", law.exponent, exponent);
    assert_close("factor", law.factor, factor);
    assert_close("r²", law.r_squared, r_squared);
    assert_eq!(law.points, 5);
    assert_eq!(power_law(&points[..2]), None);
    assert_eq!(power_law(&[(5.0, 1.0), (5.0, 2.0), (6.0, 3.0)]), None);
}

#[test]
fn kappa_equals_statsmodels() {
    for Kappa { table: [both, first, second, neither], kappa } in expected().kappa {
        assert_close("kappa", Agreement { both, first, second, neither }.kappa().unwrap(), kappa);
    }
}

#[test]
fn degenerate_samples_have_no_effect_and_no_claim() {
    assert_eq!((mean(&[]), sd(&[0.5]), median(&[])), (0.0, 0.0, None));
    let test = wilcoxon(&[0.0; 4]);
    assert_eq!((test.p, test.statistic), (1.0, 0.0));
    assert_eq!(wilcoxon(&[]).p, 1.0);
    assert_eq!((cohens_d(&[0.0; 3]), cohens_d(&[0.3; 3]), cohens_d(&[0.3])), (Some(0.0), None, None));
    assert_eq!(cliffs_delta(&[], &[1.0]), 0.0);
    let [comparison] = compare_all(&[(vec![], vec![])]).try_into().unwrap();
    assert_eq!((comparison.verdict, comparison.p), (Verdict::Open, 1.0));
}

#[test]
fn rounding_errors_make_no_ties() {
    // 0.3 − 0.1 and 0.2 differ by a rounding error, and are one tie.
    let differences = [0.3 - 0.1, -0.2, 0.1];
    assert_ne!(differences[0], 0.2);
    assert_eq!(wilcoxon(&differences).statistic, 2.5);
}

#[test]
fn claim_needs_significance_and_effect() {
    let better: Vec<f64> = (0..40).map(|index| 0.5 + f64::from(index % 5) / 10.0).collect();
    let base = vec![0.4; 40];
    // One difference in ten: significant in a large sample, but small.
    let slightly: Vec<f64> = (0..400).map(|index| if index % 16 == 0 { 0.6 } else { 0.4 }).collect();
    let [far, near, reverse] =
        compare_all(&[(better.clone(), base.clone()), (slightly, vec![0.4; 400]), (base, better)]).try_into().unwrap();
    assert_eq!(far.verdict, Verdict::Better);
    assert!(near.p_holm < SIGNIFICANCE && near.cohens_d.unwrap() < MIN_EFFECT);
    assert_eq!((near.verdict, reverse.verdict), (Verdict::Open, Verdict::Worse));
    assert!(far.p_holm > far.p);
}
