import { escapeHtml, pageText } from '../../kernel/domain/lone-page.ts'
import { plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { costOf, inTime, inTokens } from './figures.ts'
import { attemptHtml, shortText } from './report-attempt.ts'
import { tallyCases, type CaseSummary, type RunSummary, type Verdict } from './summary.ts'

// Limit below which a phone's browser can still open the page; the JSON report has all cases.
const MOST_CASES = 2_000
const MOST_TRIES = 10

/** Case with all models it was tried with. */
interface CaseGroup {
  readonly anchor: string
  readonly worst: Verdict
  readonly models: readonly CaseSummary[]
}

const ORDER: readonly Verdict[] = ['failed', 'broken', 'unfinished', 'passed']
const SIGNS: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', broken: '!', unfinished: '…' }

/** Failures first, then by name. */
export function groupCases({ cases }: RunSummary): readonly CaseGroup[] {
  const byId = new Map<string, CaseSummary[]>()
  for (const one of cases) {
    const group = byId.get(one.case) ?? []
    byId.set(one.case, group)
    group.push(one)
  }
  return [...byId.values()]
    .map((models, index) => ({
      anchor: `case-${index + 1}`,
      worst: ORDER.find((verdict) => models.some((one) => one.verdict === verdict))!,
      models,
    }))
    .toSorted((a, b) => ORDER.indexOf(a.worst) - ORDER.indexOf(b.worst))
}

/** Collapsible list of cases, one column per model. */
export function casesHtml(summary: RunSummary, groups: readonly CaseGroup[]): string {
  const columns = columnsOf(summary)
  const shown = groups.slice(0, MOST_CASES)
  const left = groups.length - shown.length
  const head =
    columns.length < 2
      ? ''
      : `<div class="row head" aria-hidden="true"><span>case</span>${columns.map((model) => `<span>${pageText(model)}</span>`).join('')}</div>\n`
  return `<h2 id="cases">Cases</h2>
${filtersHtml(summary)}
<p class="said" id="count" role="status">${plural(groups.length, 'case')}</p>
<div class="cases">
${head}${shown.map((group) => groupHtml(group, columns)).join('\n')}
<p class="none" id="none"${groups.length === 0 ? '' : ' hidden'}>No case is like that.</p>
</div>
${left > 0 ? `<p class="said">${left} more that passed are in the JSON report.</p>` : ''}`
}

/** One column per model; a single column if no model is used. */
export const columnsOf = ({ models }: RunSummary): readonly string[] => {
  const asked = models.map(({ name }) => name).filter((name) => name !== '-')
  return asked.length === 0 ? ['-'] : asked
}

const badge = (verdict: Verdict, more = ''): string =>
  `<span class="verdict ${verdict}"><span aria-hidden="true">${SIGNS[verdict]}</span>${verdict}${more}</span>`

/** Hidden until the script that drives them is loaded. */
function filtersHtml({ kinds, tags }: RunSummary): string {
  const options = (values: readonly string[]): string =>
    values.map((value) => `<option value="${line(value)}">${line(value)}</option>`).join('')
  const choice = (id: string, label: string, values: readonly string[]): string =>
    `<label>${label}<select id="${id}"><option value="">all</option>${options(values)}</select></label>`
  return `<form class="filters" id="filters" aria-label="Narrow the list" hidden>
<label class="wide">Words<input id="words" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label>
${choice('verdict', 'Came out', ORDER)}
${choice(
  'kind',
  'Kind',
  kinds.map(({ name }) => name),
)}
${choice(
  'tag',
  'Tag',
  tags.map(({ name }) => name),
)}
<button type="button" id="open">Open all</button>
<button type="button" id="close">Close all</button>
</form>`
}

const line = (given: string): string => escapeHtml(visibleLine(given))

function groupHtml({ anchor, models }: CaseGroup, columns: readonly string[]): string {
  const [one] = models
  const { name, file, kind, tags } = one!
  const words = [one!.case, name, file, kind, ...tags, ...models.map(({ model }) => model)].join(' ').toLowerCase()
  const data = [
    `data-verdicts="${models.map(({ verdict }) => verdict).join(' ')}"`,
    `data-kind="${kind}"`,
    `data-tags="${tags.map(line).join('\n')}"`,
    `data-words="${line(words)}"`,
  ].join(' ')
  const about = [
    `<span>${kind}</span>`,
    `<span>${pageText(file)}</span>`,
    ...tags.map((tag) => `<span class="tag">${line(tag)}</span>`),
  ]
  const alone = models.find(({ model }) => model === '-')
  const cells =
    alone === undefined
      ? columns.map((column) =>
          cellHtml(
            models.find(({ model }) => model === column),
            columns.length > 1,
          ),
        )
      : [everyCell(alone)]
  return `<details class="case" id="${anchor}" ${data}>
<summary class="row"><span><span class="name">${line(name)}</span><span class="about">${about.join('')}</span></span>${cells.join('')}</summary>
<div class="inside">
${promptHtml(models)}
<div class="columns">
${models.map((each) => modelHtml(each)).join('\n')}
</div>
</div>
</details>`
}

function cellHtml(one: CaseSummary | undefined, isNamed: boolean): string {
  if (one === undefined) return '<span></span>'
  const of = isNamed && one.model !== '-' ? `<span class="of">${pageText(one.model)}</span> ` : ''
  return `<span>${of}${badge(one.verdict, one.tries > 1 ? ` ${one.passes}/${one.tries}` : '')}</span>`
}

/** Spans all columns: a case without a model has the same outcome for all. */
const everyCell = (one: CaseSummary): string => cellHtml(one, false).replace('<span>', '<span class="every">')

const promptHtml = (models: readonly CaseSummary[]): string => {
  const prompt = models.flatMap(({ attempts }) => attempts)[0]?.prompt ?? ''
  return prompt === '' ? '' : `<h3>Asked</h3>\n<pre>${shortText(prompt)}</pre>`
}

function modelHtml(one: CaseSummary): string {
  const tally = tallyCases([one])
  const spent = one.usage.input + one.usage.output
  const facts = [
    ...(one.tries > 1 ? [`${one.passes} of ${one.tries} passed, ${one.need} needed`] : []),
    inTime(one.milliseconds),
    ...(spent === 0 ? [] : [`${inTokens(one.usage.input)} tokens in, ${inTokens(one.usage.output)} out`]),
    ...(costOf(tally) === '' ? [] : [costOf(tally)]),
  ]
  const ordered = one.attempts.toSorted((a, b) => Number(a.outcome === 'passed') - Number(b.outcome === 'passed'))
  const [first, ...others] = ordered.slice(0, MOST_TRIES)
  const title = one.model === '-' ? 'Outcome' : pageText(one.model)
  const left = one.tries - MOST_TRIES
  return `<section>
<h3>${title}</h3>
<div>${badge(one.verdict)} <span class="soft">${facts.map(pageText).join(' · ')}</span></div>
${first === undefined ? '' : `<div class="try">${one.tries > 1 ? `<p class="soft">Try ${first.attempt}: ${first.outcome}</p>` : ''}${attemptHtml(first)}</div>`}
${others
  .map(
    (each) =>
      `<details class="try"><summary>Try ${each.attempt}: ${each.outcome}</summary>\n${attemptHtml(each)}\n</details>`,
  )
  .join('\n')}
${left > 0 ? `<p class="soft">${plural(left, 'more try', 'more tries')} in the JSON report.</p>` : ''}
</section>`
}
