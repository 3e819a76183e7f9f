#!/usr/bin/env python3
"""Makes expected.json: vectors and the values of SciPy and statsmodels for src/eval/cross/statistics.

pip install scipy==1.17.1 statsmodels==0.15.0, then: make.py > expected.json
"""
import json
import random

import numpy as np
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests

MASK = (1 << 64) - 1
DRAWS = 5000


def split_mix(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        value = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        yield value ^ (value >> 31)


def bootstrap(values):
    """Percentile interval with the generator of the program; the nearest of the sorted means."""
    numbers = split_mix(0x6B6E6F77)
    n = len(values)
    means = [np.mean([values[(next(numbers) * n) >> 64] for _ in range(n)]) for _ in range(DRAWS)]
    low, high = np.quantile(means, [0.025, 0.975], method="nearest")
    return [float(low), float(high)]


def pairs():
    rng = random.Random(17)
    score = lambda: round(rng.random(), 4)
    step = lambda: rng.randrange(11) / 10
    yield "no ties", [score() for _ in range(9)], [score() for _ in range(9)]
    yield "no ties, largest exact", [score() for _ in range(50)], [score() for _ in range(50)]
    yield "no ties, smallest normal", [score() for _ in range(51)], [score() for _ in range(51)]
    yield "ties and zeros, exact", [step() for _ in range(13)], [step() for _ in range(13)]
    yield "ties and zeros, smallest normal", [step() for _ in range(14)], [step() for _ in range(14)]
    yield "precision at 10", [step() for _ in range(92)], [step() for _ in range(92)]
    first = [score() for _ in range(300)]
    yield "close", first, [round(max(0, value - rng.choice([0, 0, 0.05, -0.02])), 4) for value in first]
    yield "far", [round(0.5 + rng.random() / 2, 4) for _ in range(68)], [round(rng.random() / 3, 4) for _ in range(68)]
    yield "mostly zero", [0.0] * 60 + [0.5, 1.0, 0.2, 0.1, 1.0, 0.3], [0.0] * 66


def paired(name, first, second):
    first, second = np.array(first), np.array(second)
    difference = np.round(first - second, 12)
    test = stats.wilcoxon(difference)
    dominance = np.sign(first[:, None] - second[None, :])
    return {
        "name": name, "first": first.tolist(), "second": second.tolist(),
        "mean": float(np.mean(first)), "sd": float(np.std(first, ddof=1)), "median": float(np.median(first)),
        "interval": bootstrap((first - second).tolist()),
        "statistic": float(test.statistic), "p": float(test.pvalue),
        "cohens_d": float(stats.ttest_rel(first, second).statistic / np.sqrt(len(first))),
        # The statistic of the Mann-Whitney test counts the pairs that the first wins, ties as half.
        "cliffs_delta": float(2 * stats.mannwhitneyu(first, second).statistic / dominance.size - 1),
    }


def main():
    p_values = [[0.01], [0.04, 0.001, 0.03, 0.5, 0.02], [0.2, 0.2, 0.9, 1.0], [1e-9, 0.049, 0.05, 0.013, 0.013, 0.6, 0.7]]
    points = [(83, 0.7), (900, 4.1), (2700, 16.3), (15400, 131.0), (61000, 402.0)]
    fit = stats.linregress(np.log([x for x, _ in points]), np.log([y for _, y in points]))
    tables = [[20, 5, 10, 15], [7, 3, 2, 4000], [0, 2, 3, 40], [5, 0, 0, 9]]
    print(json.dumps({
        "paired": [paired(*case) for case in pairs()],
        "holm": [{"p": p, "adjusted": multipletests(p, method="holm")[1].tolist()} for p in p_values],
        "power_law": {"points": points, "exponent": float(fit.slope), "factor": float(np.exp(fit.intercept)),
                      "r_squared": float(fit.rvalue**2)},
        "kappa": [{"table": t, "kappa": float(cohens_kappa(np.reshape(t, (2, 2))).kappa)} for t in tables],
    }, indent=None, separators=(",", ":")).replace("{\"name\"", "\n{\"name\"").replace("\"holm\"", "\n\"holm\"")
       .replace("\"power_law\"", "\n\"power_law\"").replace("\"kappa\":[", "\n\"kappa\":["))


main()
