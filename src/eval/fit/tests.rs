//! Tests of the trainer on small data with known solutions.

use super::*;
use crate::random::SplitMix64;
use crate::training::tests::sample;
use crate::training::{DataSet, FeatureFile};

fn data(features: &[&str], samples: Vec<Sample>) -> Data {
    let features = features.iter().map(|name| (*name).to_owned()).collect();
    Data::new(vec![("one".to_owned(), FeatureFile { features, samples })]).unwrap()
}

/// Returns samples of three repositories with 30 candidates: `lexical` and `file` are evidence, `noise` is not, `test`
/// is evidence against.
fn random_samples(count: usize) -> Vec<Sample> {
    let mut random = SplitMix64(7);
    let mut share = || (random.next() >> 40) as f32 / (1 << 24) as f32;
    (0..count)
        .map(|id| {
            let columns: [Vec<f32>; 4] = std::array::from_fn(|column| {
                let value = |value: f32| match column {
                    3 => f32::from(u8::from(value < 0.2)),
                    _ if value < 0.3 => 0.0,
                    _ => value,
                };
                (0..30).map(|_| value(share())).collect()
            });
            let quality = |candidate: usize| columns[0][candidate] + columns[1][candidate] - columns[3][candidate];
            let best = (0..30).max_by(|one, other| quality(*one).total_cmp(&quality(*other))).unwrap();
            let repository = ["shop", "till", "cart"][id % 3];
            let mut sample = sample(repository, &id.to_string(), &columns[0], &[best]);
            sample.values = columns.concat();
            sample
        })
        .collect()
}

const FEATURES: [&str; 4] = ["lexical", "file", "noise", "test"];

/// Returns the data of [`random_samples`].
pub(super) fn random_data(count: usize) -> Data {
    data(&FEATURES, random_samples(count))
}

fn fitted(data: &Data) -> Fitted {
    Trainer::new(data, Settings::default()).unwrap().fit()
}

#[test]
fn evidence_rises_and_counter_evidence_falls() {
    let data = random_data(90);
    let fitted = fitted(&data);
    let features = &fitted.model.locate.features;
    for (name, sign) in [("lexical", 1.0), ("file", 1.0), ("test", -1.0)] {
        let values = &features[name].values;
        assert!(values.windows(2).all(|pair| sign * (pair[1] - pair[0]) >= 0.0), "{name}: {values:?}");
        assert!(sign * values[values.len() - 1] > 0.2, "{name}: {values:?}");
    }
    assert!(fitted.residuals[0] <= TOLERANCE, "{fitted:?}");
    let report = &validate(&Trainer::new(&data, Settings::default()).unwrap(), &fitted, &folds(&data, 3))[0];
    assert!(report.mean_of_tasks.change.after[1] > 0.8, "{report:?}");
}

#[test]
fn bounds_hold_where_the_data_contradict_them() {
    // The relevant candidate has the lower value.
    let samples: Vec<Sample> = (0..20).map(|id| sample("shop", &id.to_string(), &[1.0, 0.0, 1.0], &[1])).collect();
    let contradicted = fitted(&data(&["lexical"], samples.clone()));
    assert!(contradicted.model.locate.features.is_empty(), "{contradicted:?}");
    assert_eq!(contradicted.steps, [0, 0]);
    // The same values of a feature without a direction.
    let both = samples.into_iter().map(|sample| Sample { values: sample.values.repeat(2), ..sample });
    let free = fitted(&data(&["lexical", "members"], both.collect()));
    assert!(free.model.locate.features["members"].values[1] < -0.1);
}

#[test]
fn one_binary_feature_has_the_solution_of_its_equation() {
    // Two candidates with the values 1 and 0, of which the first is relevant in three of four tasks: the gradient of
    // the loss, sigmoid(x) - 3/4, and of the prior, p x / 40 with 1/p = 1/2 + 1/50, sum to 0.
    let samples = (0..40).map(|id| sample("shop", &id.to_string(), &[1.0, 0.0], &[usize::from(id % 4 == 0)]));
    let found = fitted(&data(&["lexical"], samples.collect())).model.locate.features["lexical"].clone();
    let value = found.values[1] * SCALE;
    let precision = 1.0 / (1.0 / 2.0 + 1.0 / 50.0);
    let slope = 1.0 / (1.0 + (-value).exp()) - 0.75 + precision * value / 40.0;
    assert!(slope.abs() < 1e-3, "{value} {slope}");
}

#[test]
fn a_model_that_doubts_labels_gives_less_to_those_that_its_features_do_not_explain() {
    // Of the two relevant candidates of a task, only one has the feature.
    let samples: Vec<Sample> = (0..30).map(|id| sample("shop", &id.to_string(), &[1.0, 0.0, 0.0], &[0, 1])).collect();
    let data = data(&["lexical"], samples);
    let value = |doubt: f64| {
        let settings = Settings { doubt: [doubt, 0.0], ..Settings::default() };
        *Trainer::new(&data, settings).unwrap().fit().model.locate.features["lexical"].values.last().unwrap()
    };
    assert!(value(0.5) > 1.2 * value(0.0), "{} {}", value(0.5), value(0.0));
    assert!(value(1.0) > value(0.5));
}

#[test]
fn shapes_of_little_data_are_straight() {
    let mut samples = Vec::new();
    for id in 0..3 {
        // A jump at 0.5.
        let values: Vec<f32> = (0..=10).map(|value| value as f32 / 10.0).collect();
        samples.push(sample("shop", &id.to_string(), &values, &[6, 7, 8, 9, 10]));
    }
    let shape = fitted(&data(&["lexical"], samples)).model.locate.features["lexical"].clone();
    let last = shape.knots.len() - 1;
    let slope = shape.values[last] / shape.knots[last];
    for (knot, value) in shape.knots.iter().zip(&shape.values) {
        assert!((value - slope * knot).abs() < 0.1 * shape.values[last], "{shape:?}");
    }
}

#[test]
fn order_of_files_and_runs_does_not_matter() {
    let file =
        |samples: &[Sample]| FeatureFile { features: FEATURES.map(str::to_owned).to_vec(), samples: samples.to_vec() };
    let samples = random_samples(40);
    let (first, second) = samples.split_at(13);
    let text = |files: Vec<FeatureFile>| {
        let data = Data::new(files.into_iter().map(|file| ("one".to_owned(), file)).collect()).unwrap();
        fitted(&data).model.to_toml("")
    };
    let expected = text(vec![file(first), file(second)]);
    assert_eq!(text(vec![file(first), file(second)]), expected);
    let mut reversed = samples.clone();
    reversed.reverse();
    assert_eq!(text(vec![file(&reversed)]), expected);
    assert_eq!(RankingModel::parse(&expected).unwrap().to_toml(""), expected);
}

#[test]
fn explore_deviates_from_locate_by_its_tasks() {
    let mut samples = random_samples(60);
    let without = fitted(&data(&FEATURES, samples.clone())).model;
    assert_eq!(without.explore, without.locate);
    // Tests are the relevant candidates of explore tasks.
    for (id, mut task) in random_samples(30).into_iter().enumerate() {
        (task.set, task.intent) = (DataSet::Development, Intent::Explore);
        task.strict = (0..30).filter(|candidate| task.column(3)[*candidate] > 0.0).map(|it| (it, 0)).collect();
        task.id = format!("explore-{id}");
        samples.push(task);
    }
    let with = fitted(&data(&FEATURES, samples)).model;
    let last = |shapes: &Shapes| *shapes.features["test"].values.last().unwrap();
    assert!((last(&with.locate) - last(&without.locate)).abs() < 0.01);
    // The bound of the feature keeps it from rising, not from losing its shape.
    assert!(!with.explore.features.contains_key("test"), "{:?}", with.explore.features["test"]);
}

#[test]
fn excluded_and_constant_features_have_no_shape() {
    let mut samples = random_samples(30);
    samples.iter_mut().for_each(|sample| sample.values[60..90].fill(1.0));
    let data = data(&FEATURES, samples);
    let without = |name: &str| Settings { without: vec![name.to_owned()], ..Settings::default() };
    let trainer = Trainer::new(&data, without("file")).unwrap();
    let names: Vec<String> = trainer.fit().model.locate.features.into_keys().collect();
    assert_eq!((trainer.features(), names), (2, vec!["lexical".to_owned(), "test".to_owned()]));
    assert!(Trainer::new(&data, without("absent")).is_err());
}

#[test]
fn folds_leave_out_whole_projects() {
    let data = random_data(9);
    assert_eq!(folds(&data, 99), [["cart"], ["shop"], ["till"]]);
    assert_eq!(folds(&data, 2), [vec!["cart", "till"], vec!["shop"]]);
    // A project whose relevant candidates are the opposite of all others' is ranked by the model of the others.
    let of = |name: &str, relevant: usize| {
        (0..20).map(|id| sample(name, &id.to_string(), &[1.0, 0.0], &[relevant])).collect::<Vec<_>>()
    };
    let data = self::data(&["lexical"], [of("shop", 0), of("till", 1)].concat());
    let trainer = Trainer::new(&data, Settings::default()).unwrap();
    let report = &validate(&trainer, &trainer.fit(), &folds(&data, 2))[0];
    let [shop, till] = &report.projects[..] else { panic!("{report:?}") };
    // Without `shop` nothing is learned, and ties are in the order of the candidates.
    assert_eq!((shop.change.after[1], till.change.after[1]), (1.0, 0.5));
    assert_eq!((till.tasks, report.mean_of_tasks.change.after[1]), (20, 0.75));
}

#[test]
fn mean_of_projects_weighs_projects_alike() {
    let mut samples: Vec<Sample> = (0..30).map(|id| sample("shop", &id.to_string(), &[1.0, 0.0], &[0])).collect();
    samples.push(sample("till", "a", &[1.0, 0.0], &[1]));
    let data = data(&["lexical"], samples);
    let trainer = Trainer::new(&data, Settings::default()).unwrap();
    let report = &validate(&trainer, &trainer.fit(), &folds(&data, 2))[0];
    assert!((report.mean_of_projects.change.after[1] - 0.75).abs() < 1e-12, "{report:?}");
    assert!((report.mean_of_tasks.change.after[1] - 30.5 / 31.0).abs() < 1e-12);
}

#[test]
fn learning_curve_has_a_point_per_number_of_repositories() {
    let mut samples = random_samples(48);
    for (index, sample) in samples.iter_mut().enumerate() {
        sample.repository = format!("r{}", index % 6);
        sample.project.clone_from(&sample.repository);
    }
    let data = data(&FEATURES, samples);
    let trainer = Trainer::new(&data, Settings::default()).unwrap();
    let curve = learning_curve(&trainer, &trainer.fit());
    assert_eq!(curve.iter().map(|point| point.repositories).collect::<Vec<_>>(), [5, 6]);
    assert!(curve.iter().all(|point| point.measures[1] > 0.5));
}

#[test]
fn zero_is_the_score_at_rank_200() {
    // The candidates at ranks 1, 200 and 220 have the values 1, 0.2 and 0; the relevant one is the first.
    let value = |rank: usize| if rank == 0 { 1.0 } else { f32::from(u8::from(rank < 200)) / 5.0 };
    let values: Vec<f32> = (0..220).map(value).collect();
    let samples = (0..40).map(|id| sample("shop", &id.to_string(), &values, &[0]));
    let data = data(&["lexical"], samples.collect());
    let trainer = Trainer::new(&data, Settings::default()).unwrap();
    let model = trainer.fit().model;
    let shape = &model.locate.features["lexical"];
    assert!((model.locate.base + shape.at(f64::from(0.2f32))).abs() < 1e-4, "{model:?}");
    let scale = trainer.scale(&model, Intent::Locate);
    assert!(scale.levels[0] > 0.1 && scale.levels[1..].iter().all(|level| level.abs() < 1e-4), "{scale:?}");
    assert_eq!((scale.negative_relevant, scale.relevant_of_negative), (0.0, 0.0));
    assert_eq!(model.explore, model.locate);
}

#[test]
fn questions_of_a_group_are_measured_as_one_task() {
    let question = |id: &str, group: Option<&str>, values: &[f32]| {
        let mut task = sample("shop", id, values, &[0]);
        (task.intent, task.set, task.group) = (Intent::Explore, DataSet::Documents, group.map(str::to_owned));
        task
    };
    let samples = vec![
        question("a", Some("one"), &[0.2, 0.9]),
        question("b", Some("one"), &[0.9, 0.2]),
        question("c", Some("two"), &[0.9, 0.2]),
        question("d", None, &[0.9, 0.2]),
    ];
    let data = data(&["lexical"], samples);
    let report = &validate(&Trainer::new(&data, Settings::default()).unwrap(), &fitted(&data), &folds(&data, 1))[0];
    assert_eq!((report.suite, report.mean_of_tasks.tasks), (Suite::Documents, 3));
    let [recall, reciprocal, ..] = report.beside_bm25f.change.before;
    assert!((recall - 1.0).abs() < 1e-9 && (reciprocal - 2.75 / 3.0).abs() < 1e-9, "{report:?}");
}
