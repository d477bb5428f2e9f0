import { readStory } from '../../../../src/analyst/domain/story/read-story.ts'

interface KnownQuery {
  readonly query: string
  readonly columns: readonly { readonly name: string }[]
}

export const BLOCKS = [
  { kind: 'text', label: 'Heading and text' },
  { kind: 'statement', label: 'Statement (SQL)' },
  { kind: 'number', label: 'Number' },
  { kind: 'chart', label: 'Chart' },
  { kind: 'table', label: 'Table' },
  { kind: 'grid', label: 'Side by side' },
  { kind: 'period', label: 'Parameter: period' },
  { kind: 'value', label: 'Parameter: value' },
] as const

export type BlockKind = (typeof BLOCKS)[number]['kind']

/** The text of a new block, drawn from the last query of the story; a story without one gets a statement with it. */
export function blockFor(kind: BlockKind, text: string, data: readonly KnownQuery[]): string {
  const { statements, params } = readStory(text)
  const last = statements.at(-1)?.query ?? data.at(-1)?.query
  const query = last ?? 'q_1'
  const [first = 'day', ...more] = data.find((one) => one.query === query)?.columns.map(({ name }) => name) ?? []
  const y = more[0] ?? (first === 'day' ? 'total' : first)
  const drawn = (tag: string): string => (last === undefined ? `${tag}\n\n${statement(query)}` : tag)
  switch (kind) {
    case 'text':
      return '## Heading\n\nText.'
    case 'statement':
      return statement(freeName('q_', (name) => statements.some((one) => one.query === name)))
    case 'number':
      return drawn(`<chart query="${query}" kind="kpi" y="${y}" title=""/>`)
    case 'chart':
      return drawn(`<chart query="${query}" kind="bar" x="${first}" y="${y}" title=""/>`)
    case 'table':
      return drawn(`<table query="${query}" title="" limit="50"/>`)
    case 'grid':
      return drawn(
        `<grid cols="2">\n<chart query="${query}" kind="kpi" y="${y}" title=""/>\n<chart query="${query}" kind="kpi" y="${y}" title=""/>\n</grid>`,
      )
    case 'period':
    case 'value': {
      const name = freeName(kind, (one) => params.some((param) => param.name === one))
      return kind === 'period'
        ? `<param name="${name}" kind="period" default="last month" title="Period"/>`
        : `<param name="${name}" default="" title="Value"/>`
    }
  }
}

const statement = (query: string): string => `\`\`\`sql ${query}\nSELECT day, total\nFROM your_table\n\`\`\``

function freeName(stem: string, isTaken: (name: string) => boolean): string {
  for (let next = 1; ; next++) {
    const name = stem.endsWith('_') ? `${stem}${next}` : next === 1 ? stem : `${stem}_${next}`
    if (!isTaken(name)) return name
  }
}
