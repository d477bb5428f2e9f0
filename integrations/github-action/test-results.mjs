// What a comment, annotations and outputs need of what `ken test --json` answers.

/** @param {{ cases: readonly { id: string, line: number }[], prefix: string }} known where the cases stand in their files */
export function readTests(answer, { cases, prefix }) {
  const lines = new Map(cases.map(({ id, line }) => [id, line]))
  const { total, run, comparison } = answer
  return {
    total: {
      cases: total.cases,
      passed: total.passed,
      failed: total.failed,
      broken: total.broken,
      unfinished: total.unfinished,
      notRun: total.not_run,
    },
    usage: total.usage,
    seconds: Math.round(total.milliseconds / 1000),
    report: answer.outputs.find((name) => name.endsWith('.json')) ?? '',
    /** What may be spent was spent, or it was stopped: what was not run did not pass. */
    isCut: run.end !== 'complete',
    failures: answer.cases
      .filter(({ verdict }) => verdict === 'failed' || verdict === 'broken')
      .map((one) => ({ ...asCase(one, prefix), line: lines.get(one.case) ?? 1, reason: reasonOf(one) })),
    brokenFiles: run.broken.map(({ file, line, name, fault }) => ({ file: `${prefix}${file}`, line, name, fault })),
    changes: comparison && {
      regressions: comparison.regressions.map((one) => asCase(one, prefix)),
      mended: comparison.mended.map((one) => asCase(one, prefix)),
      shifted: comparison.shifted.map((one) => asCase(one, prefix)),
      added: comparison.added.map((one) => asCase(one, prefix)),
      gone: comparison.gone.map((one) => asCase(one, prefix)),
    },
  }
}

function asCase({ case: id, name, file, model, was, now, ...one }, prefix) {
  const standing = ({ verdict, passes, tries }) => (tries > 1 ? `${verdict} (${passes} of ${tries})` : verdict)
  const parts = was || now ? [was, now].filter(Boolean) : [one]
  return {
    key: JSON.stringify([id, model]),
    name,
    file: `${prefix}${file}`,
    model,
    standing: parts.map(standing).join(' → '),
  }
}

/** Of the first try that did not pass. */
function reasonOf({ attempts }) {
  const checks = attempts.find(({ outcome }) => outcome !== 'passed')?.checks.filter(({ passed }) => !passed) ?? []
  return checks
    .slice(0, 3)
    .map(({ expects, found, difference }) => `expected: ${expects}${difference ? `; ${difference.reason}` : found ? `; found: ${found}` : ''}`)
    .join('. ')
}
