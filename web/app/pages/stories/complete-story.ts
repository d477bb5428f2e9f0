import { CHART_KINDS } from '../../../../src/analyst/domain/chart/chart.ts'
import { PARAM_KINDS } from '../../../../src/analyst/domain/story/story-params.ts'
import type { CodeChoice, CompleteCode } from '../../kit/data/code-parts.ts'

interface StoryQuery {
  readonly query: string
  readonly sql: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** Completions in a tag of a story: tags after `<`; queries, kinds and columns in their attributes. */
export function completeStory(data: readonly StoryQuery[]): CompleteCode {
  return (text, at) => {
    const before = text.slice(Math.max(0, at - LONGEST), at)
    const tag = before.slice(before.lastIndexOf('<'))
    if (!tag.startsWith('<') || tag.includes('>')) return undefined
    const word = /^<([a-z]*)$/i.exec(tag)
    if (word !== null) return { from: at - tag.length, choices: tagsFor(data) }
    const attribute = /\s(query|kind|x|y|series_by)=["']?([^"']*)$/i.exec(tag)
    if (attribute === null) return undefined
    const typed = attribute[2]!.split(',').at(-1)!
    return { from: at - typed.length, choices: valuesFor(attribute[1]!.toLowerCase(), tag, data) }
  }
}

const LONGEST = 2_000

function tagsFor(data: readonly StoryQuery[]): readonly CodeChoice[] {
  const query = data[0]?.query ?? 'q_'
  const [x = '', y = ''] = data[0]?.columns.map(({ name }) => name) ?? []
  return [
    { label: '<chart', detail: 'a chart', apply: `<chart query="${query}" kind="line" x="${x}" y="${y}" title=""/>` },
    { label: '<table', detail: 'rows of a query', apply: `<table query="${query}" title="" limit="50"/>` },
    { label: '<grid', detail: 'side by side', apply: '<grid cols="2">\n\n</grid>' },
    {
      label: '<param',
      detail: 'a value that readers change',
      apply: '<param name="period" kind="period" default="last month" title="Period"/>',
    },
  ]
}

function valuesFor(attribute: string, tag: string, data: readonly StoryQuery[]): readonly CodeChoice[] {
  if (attribute === 'kind') return (/^<param\b/i.test(tag) ? PARAM_KINDS : CHART_KINDS).map((label) => ({ label }))
  if (attribute === 'query')
    return data.map(({ query, sql }) => ({ label: query, detail: sql.replaceAll(/\s+/g, ' ').slice(0, 60) }))
  const named = /\squery=["']?(q_[0-9a-z]+)/i.exec(tag)?.[1]
  const columns = data.find(({ query }) => query === named)?.columns ?? data.flatMap((one) => one.columns)
  return columns.map(({ name, type }) => ({ label: name, detail: type.toLowerCase() }))
}
