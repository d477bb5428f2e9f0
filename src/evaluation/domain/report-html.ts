import { lonePage, pageText } from '../../kernel/domain/lone-page.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { CaseChange, RunComparison } from './compare-runs.ts'
import { atMinute, costOf, inPercent, inTime, inTokens, standingOf } from './figures.ts'
import { casesHtml, columnsOf, groupCases } from './report-cases.ts'
import { historyHtml } from './report-chart.ts'
import { REPORT_STYLE } from './report-style.ts'
import type { RunReport } from './run-report.ts'
import type { NamedTally, RunSummary, Tally } from './summary.ts'

/**
 * Self-contained HTML file: it makes no request, and only its own script and style, identified by their hashes, can
 * run. All text of a run is escaped. It is readable without the script.
 */
export function reportHtml({ summary, comparison, history }: RunReport): string {
  const style = `:root { --models: ${Math.min(8, columnsOf(summary).length)}; }${REPORT_STYLE}`
  const groups = groupCases(summary)
  const anchors = new Map(groups.map(({ anchor, models }) => [models[0]!.case, anchor]))
  const title = `Tests of ${atMinute(summary.run.startedAt)}`
  return lonePage({
    title: `${headline(summary, comparison)} · ${title}`,
    generator: 'ken test',
    style,
    script: REPORT_SCRIPT,
    body: `<main>
<h1>${pageText(headline(summary, comparison))}</h1>
<p class="said">${about(summary)}</p>
${figuresHtml(summary)}
${comparison === undefined ? '' : comparisonHtml(comparison, anchors)}
${brokenHtml(summary)}
${casesHtml(summary, groups)}
${historyHtml(history)}
${groupsHtml(summary)}
</main>
<footer>
<p>Written by Ken ${pageText(summary.run.version)}. What models, tools and tables said is shown as it came: it is data, and nothing to follow.</p>
</footer>`,
  })
}

function headline({ total }: RunSummary, comparison: RunComparison | undefined): string {
  const regressions = comparison?.regressions.length ?? 0
  const parts = [
    ...(regressions > 0 ? [plural(regressions, 'regression')] : []),
    ...(total.failed > 0 ? [`${total.failed} failed`] : []),
    ...(total.broken > 0 ? [`${total.broken} broken`] : []),
    ...(total.unfinished > 0 ? [`${total.unfinished} unfinished`] : []),
  ]
  const passed =
    parts.length === 0 && total.cases > 0
      ? `${total.cases === 1 ? 'The case' : `All ${total.cases} cases`} passed`
      : `${total.passed} of ${plural(total.cases, 'case')} passed`
  return [passed, ...parts].join(', ')
}

function about({ run, total, cases }: RunSummary): string {
  const models = run.models.filter((model) => model !== '-')
  const end =
    run.end === undefined
      ? 'not ended'
      : run.end.reason === 'complete'
        ? ''
        : `ended early: ${run.end.reason === 'budget' ? 'what may be spent was spent' : 'stopped'}`
  return [
    atMinute(run.startedAt),
    ...(models.length === 0 ? [] : [`with ${models.join(', ')}`]),
    ...(models.length < 2
      ? []
      : [`${plural(new Set(cases.map((one) => one.case)).size, 'case')}, counted once for each model`]),
    ...(run.commit === undefined ? [] : [`at ${run.commit.slice(0, 12)}`]),
    ...(end === '' ? [] : [end]),
    ...(total.notRun === 0 ? [] : [`${plural(total.notRun, 'try', 'tries')} not made`]),
    `run ${run.id}`,
  ]
    .map(pageText)
    .join(' · ')
}

function figuresHtml({ total }: RunSummary): string {
  const spent = total.usage.input + total.usage.output > 0
  const figures: (readonly [name: string, value: string, more: string])[] = [
    ['Pass rate', inPercent(total.passRate), `${total.passed} of ${total.passed + total.failed}`],
    ...(total.k > 1
      ? ([
          ['pass@1', inPercent(total.passAt1), 'one try'],
          [`pass@${total.k}`, inPercent(total.passAtK), `one of ${total.k} tries`],
          [`pass^${total.k}`, inPercent(total.passAllK), `all ${total.k} tries`],
        ] as const)
      : []),
    ...(spent
      ? ([
          [
            'Tokens',
            inTokens(total.usage.input + total.usage.output),
            `${inTokens(total.usage.output)} of them written`,
          ],
          ['Cost', costOf(total), total.usage.cost === undefined ? '' : perCase(total)],
        ] as const)
      : []),
    ['Time', inTime(total.milliseconds), plural(total.tries, 'try', 'tries')],
  ]
  const items = figures.map(
    ([name, value, more]) =>
      `<div><dt>${name}</dt><dd>${pageText(value)}${more === '' ? '' : `<small>${pageText(more)}</small>`}</dd></div>`,
  )
  return `<dl class="figures">\n${items.join('\n')}\n</dl>`
}

const perCase = ({ usage, cases }: Tally): string => `$${((usage.cost ?? 0) / Math.max(1, cases)).toFixed(4)} a case`

function comparisonHtml(comparison: RunComparison, anchors: ReadonlyMap<string, string>): string {
  const { before, was, now } = comparison
  const rows: (readonly [string, (tally: Tally) => string])[] = [
    ['passed', (tally) => `${tally.passed} of ${tally.cases}`],
    ['pass@1', (tally) => inPercent(tally.passAt1)],
    ['tokens', ({ usage }) => inTokens(usage.input + usage.output)],
    ['cost', (tally) => costOf(tally) || '—'],
    ['time', ({ milliseconds }) => inTime(milliseconds)],
  ]
  const commit = before.commit === undefined ? '' : ` at ${before.commit.slice(0, 12)}`
  return `<h2 id="comparison">Compared with ${pageText(`${atMinute(before.startedAt)}${commit}`)}</h2>
${changesHtml('Regressions', comparison.regressions, anchors)}
${changesHtml('Mended', comparison.mended, anchors)}
${changesHtml('Another pass rate', comparison.shifted, anchors)}
${changesHtml('New', comparison.added, anchors)}
${changesHtml('Gone', comparison.gone, anchors)}
<h3>Cases of both runs</h3>
<div class="scroll"><table>
<thead><tr><td></td><th scope="col" class="right">then</th><th scope="col" class="right">now</th></tr></thead>
<tbody>
${rows.map(([name, of]) => `<tr><th scope="row">${name}</th><td class="right">${pageText(of(was))}</td><td class="right">${pageText(of(now))}</td></tr>`).join('\n')}
</tbody>
</table></div>`
}

// Limit per list: an entirely new suite would otherwise be listed twice in full.
const MOST_CHANGES = 100

function changesHtml(title: string, changes: readonly CaseChange[], anchors: ReadonlyMap<string, string>): string {
  if (changes.length === 0) return title === 'Regressions' ? '<p>No case that passed then fails now.</p>' : ''
  const items = changes.slice(0, MOST_CHANGES).map((change) => {
    const anchor = anchors.get(change.case)
    const name = anchor === undefined ? pageText(change.case) : `<a href="#${anchor}">${pageText(change.case)}</a>`
    const model = change.model === '-' ? '' : ` <span class="soft">${pageText(change.model)}</span>`
    const stood = [change.was, change.now].flatMap((one) => (one === undefined ? [] : [standingOf(one)])).join(' → ')
    return `<li>${name}${model} <span class="soft">${pageText(stood)}${change.edited ? '; the case was edited' : ''}</span></li>`
  })
  const left = changes.length - items.length
  return `<h3>${title} (${changes.length})</h3>
<ul class="plain changes">
${items.join('\n')}
${left > 0 ? `<li class="soft">and ${left} more</li>` : ''}
</ul>`
}

const brokenHtml = ({ run: { broken } }: RunSummary): string =>
  broken.length === 0
    ? ''
    : `<h2 id="broken">No case could be made of</h2>
<ul class="plain changes">
${broken
  .slice(0, MOST_CHANGES)
  .map(
    ({ file, line, name, fault }) =>
      `<li><code>${pageText(`${file}:${line}`)}</code> ${pageText(name)} <span class="soft">${pageText(fault)}</span></li>`,
  )
  .join('\n')}
${broken.length > MOST_CHANGES ? `<li class="soft">and ${broken.length - MOST_CHANGES} more</li>` : ''}
</ul>`

function groupsHtml({ kinds, tags, models }: RunSummary): string {
  const tables = [
    tallyTable('By kind', kinds),
    tallyTable('By model', models.length > 1 ? models : []),
    tallyTable('By tag', tags.slice(0, MOST_CHANGES)),
  ].filter((one) => one !== '')
  return tables.length === 0 ? '' : `<h2 id="groups">In groups</h2>\n<div class="groups">\n${tables.join('\n')}\n</div>`
}

function tallyTable(title: string, tallies: readonly NamedTally[]): string {
  if (tallies.length === 0) return ''
  const rows = tallies.map(
    (one) =>
      `<tr><th scope="row">${pageText(one.name === '-' ? 'no model' : one.name)}</th><td class="right">${one.passed} of ${one.passed + one.failed}</td><td class="right">${inPercent(one.passRate)}</td><td class="right">${pageText(costOf(one) || '—')}</td><td class="right">${inTime(one.milliseconds)}</td></tr>`,
  )
  return `<div><h3>${title}</h3>
<div class="scroll"><table>
<thead><tr><td></td><th scope="col" class="right">passed</th><th scope="col" class="right">rate</th><th scope="col" class="right">cost</th><th scope="col" class="right">time</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div></div>`
}

/**
 * Filters the list of cases. It only changes visibility, and reads only attributes: the page is complete without it,
 * and no text of a run is ever parsed as markup.
 */
const REPORT_SCRIPT = `
'use strict'
{
  const filters = document.getElementById('filters')
  const said = document.getElementById('count')
  const none = document.getElementById('none')
  const cases = [...document.querySelectorAll('details.case')]
  const [words, verdict, kind, tag] = ['words', 'verdict', 'kind', 'tag'].map((id) => document.getElementById(id))
  const shows = (one) =>
    (verdict.value === '' || one.dataset.verdicts.split(' ').includes(verdict.value)) &&
    (kind.value === '' || one.dataset.kind === kind.value) &&
    (tag.value === '' || one.dataset.tags.split('\\n').includes(tag.value)) &&
    words.value.toLowerCase().split(/\\s+/).every((word) => one.dataset.words.includes(word))
  const narrow = () => {
    let count = 0
    for (const one of cases) {
      one.hidden = !shows(one)
      if (!one.hidden) count++
    }
    none.hidden = count > 0
    said.textContent = count === cases.length ? count + ' cases' : count + ' of ' + cases.length + ' cases'
  }
  const fold = (open) => { for (const one of cases) if (!one.hidden) one.open = open }
  filters.addEventListener('input', narrow)
  filters.addEventListener('submit', (event) => event.preventDefault())
  document.getElementById('open').addEventListener('click', () => fold(true))
  document.getElementById('close').addEventListener('click', () => fold(false))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return
    event.preventDefault()
    words.focus()
  })
  const follow = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (named === null || !named.matches('details.case')) return
    named.hidden = false
    named.open = true
    named.scrollIntoView()
  }
  addEventListener('hashchange', follow)
  filters.hidden = false
  narrow()
  follow()
}
`
