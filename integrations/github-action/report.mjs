// What is said of a pull request, as Markdown. Names of cases, decisions and files are the words of whoever wrote the
// change: they stand there as text, ping nobody, link nowhere and end no table.

const MOST_ROWS = 25
/** GitHub takes 65,536 characters. */
const LONGEST = 60_000

/** @param {{ guard?: object, tests?: object, notes: string[], isFailed: boolean }} found */
export function commentOf(found) {
  return cut([heading(found), ...guardLines(found.guard), ...testLines(found.tests), ...noteLines(found.notes)].join('\n'))
}

/** The same with what differs from run to run, which would make a comment change with every push. */
export function summaryOf(found) {
  const { usage, seconds } = found.tests ?? {}
  const spent = [
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(usage?.cost === undefined ? [] : [`$${usage.cost.toFixed(4)}`]),
    ...(usage === undefined ? [] : [`${usage.input + usage.output} tokens`]),
  ]
  return `${commentOf(found)}${spent.length === 0 ? '' : `\n\nThe tests took ${spent.join(', ')}.`}\n`
}

/** Whether there is something that a person should be told who was told nothing yet. */
export const isWorthSaying = ({ guard, tests, isFailed }) =>
  isFailed ||
  (guard?.comment ?? '') !== '' ||
  (tests !== undefined &&
    (tests.brokenFiles.length > 0 ||
      // What failed before as well is no difference.
      (tests.changes === undefined
        ? tests.failures.length > 0
        : Object.values(tests.changes).some((list) => list.length > 0))))

const heading = ({ isFailed }) => `### Ken: ${isFailed ? 'this needs a look' : 'passed'}`

function guardLines(guard) {
  if (guard === undefined) return []
  // Markdown of `ken pull-request`, which escapes every word that is not Ken's own.
  return ['', guard.comment || `**Record:** ${count(guard.files, 'changed file')}, nothing to report.`]
}

function testLines(tests) {
  if (tests === undefined) return []
  const { total, failures, changes, brokenFiles } = tests
  const line = `**Tests:** ${total.passed} of ${total.cases} passed`
  const rest = [
    ...(total.failed > 0 ? [`${total.failed} failed`] : []),
    ...(total.broken > 0 ? [`${total.broken} cannot be run`] : []),
    ...(total.unfinished + total.notRun > 0 ? ['not all were run'] : []),
    changes === undefined ? 'there is no baseline to compare with' : differenceLine(changes),
  ]
  const known = new Set((changes?.regressions ?? []).map(({ key }) => key))
  return [
    '',
    `${line}; ${rest.join('; ')}.`,
    ...(changes === undefined ? [] : changeTables(changes, failures)),
    ...caseTable(
      changes === undefined ? 'Failed' : 'Failed before as well, or new',
      failures.filter(({ key }) => !known.has(key)),
    ),
    ...(brokenFiles.length === 0
      ? []
      : ['', ...rows(brokenFiles, ({ file, line: at, fault }) => [`${plain(file)}:${at}: ${plain(fault)}`]).map((row) => `- ${row.slice(2, -2)}`)]),
  ]
}

function differenceLine({ regressions, mended, added, gone }) {
  const parts = [
    ...(regressions.length > 0 ? [count(regressions.length, 'regression')] : []),
    ...(mended.length > 0 ? [`${mended.length} mended`] : []),
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
  ]
  return parts.length === 0 ? 'as in the baseline' : `against the baseline ${parts.join(', ')}`
}

function changeTables({ regressions, mended, gone, shifted }, failures) {
  const why = new Map(failures.map(({ key, reason }) => [key, reason]))
  return [
    ...caseTable('Regressions', regressions.map((one) => ({ ...one, reason: why.get(one.key) ?? '' }))),
    ...caseTable('Mended', mended),
    ...caseTable('Passes more or less often', shifted),
    ...caseTable('Gone', gone),
  ]
}

const caseTable = (title, cases) =>
  cases.length === 0
    ? []
    : [
        '',
        `<details${title === 'Regressions' ? ' open' : ''}><summary>${title} (${cases.length})</summary>`,
        '',
        '| case | file | model | runs | |',
        '| --- | --- | --- | --- | --- |',
        ...rows(cases, ({ name, file, model, standing, reason = '' }) => [
          plain(name),
          plain(file),
          model === '-' ? '' : plain(model),
          plain(standing),
          plain(reason),
        ]),
        '',
        '</details>',
      ]

const noteLines = (notes) => (notes.length === 0 ? [] : ['', ...notes.map((note) => `> ${plain(note)}`)])

const rows = (list, cells) => [
  ...list.slice(0, MOST_ROWS).map((one) => `| ${cells(one).join(' | ')} |`),
  ...(list.length > MOST_ROWS ? [`| … and ${list.length - MOST_ROWS} more |`] : []),
]

const count = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`

const LONGEST_CELL = 300

/** Text that means only itself in Markdown. */
export function plain(text) {
  const line = String(text)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const short = line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL - 1).toWellFormed()}…` : line
  return (
    short
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]()#+!|~$^=:-]/g, '\\$&')
      // A person, an issue, a commit or an address would be linked, and told of it.
      .replaceAll(/@|\\#|\bGH(?=\\-)|www(?=\.)|\\:(?=\/\/)|[0-9a-f]{7}(?=[0-9a-f]*)/gi, '$&\u{200b}')
  )
}

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/\n[^\n]*$/, '')}\n\n… and more.` : text)
