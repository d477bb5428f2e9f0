import { sha256 } from '../../../kernel/domain/sha256.ts'
import { objectOf, objectsOf, textOf, type Loose } from '../../domain/sources/loose-value.ts'
import { numbersIn } from '../../domain/sources/metabase-pages.ts'
import type { MetabaseNames } from '../../domain/sources/metabase-query.ts'
import type { MetabaseApi } from './api.ts'

export interface KnownNames extends MetabaseNames {
  addDatabase(id: string, tables: readonly Loose[]): void
  add(kind: 'card' | 'segment' | 'measure', id: string, name: string): void
  /** Changes if a table or column of the database, a segment or a measure is renamed. */
  mark(database: string | undefined): string
  /** Looks up, one by one, the objects of a query that no database listed. */
  learn(query: unknown, api: MetabaseApi): Promise<void>
}

const MOST_ASKED = 200

export function openNames(): KnownNames {
  const tables = new Map<number, string>()
  const fields = new Map<number, { table: string; name: string }>()
  const others = {
    card: new Map<string, string>(),
    segment: new Map<string, string>(),
    measure: new Map<string, string>(),
  }
  const marks = new Map<string, string>()
  const asked = new Map<string, Promise<void>>()
  const once = (key: string, ask: () => Promise<void>): Promise<void> => {
    const asking = asked.get(key) ?? ask()
    asked.set(key, asking)
    return asking
  }
  return {
    table: (id) => tables.get(id),
    field: (id) => fields.get(id),
    card: (id) => others.card.get(id),
    segment: (id) => others.segment.get(id),
    measure: (id) => others.measure.get(id),
    addDatabase(id, found) {
      for (const table of found) {
        const name = tableName(table)
        tables.set(Number(table['id']), name)
        for (const field of objectsOf(table['fields']))
          fields.set(Number(field['id']), { table: name, name: textOf(field['name']) ?? '' })
      }
      const names = found.map((table) => [
        textOf(table['id']),
        tableName(table),
        ...objectsOf(table['fields']).flatMap((field) => [textOf(field['id']), textOf(field['name'])]),
      ])
      marks.set(
        id,
        sha256(JSON.stringify(names.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))))).slice(0, 12),
      )
    },
    add: (kind, id, name) => void others[kind].set(id, name),
    mark(database) {
      const own = database === undefined ? undefined : marks.get(database)
      return sha256(JSON.stringify([own ?? [...marks.values()], ...others.segment, ...others.measure])).slice(0, 12)
    },
    async learn(query, api) {
      const used = numbersIn(query)
      const unknown = [
        ...used.tables.filter((id) => !tables.has(id)).map((id) => ['table', id] as const),
        ...used.fields.filter((id) => !fields.has(id)).map((id) => ['field', id] as const),
      ]
      for (const [kind, id] of unknown.slice(0, MOST_ASKED))
        await once(`${kind} ${id}`, async () => {
          const found = await api.oneIfAny(`/api/${kind}/${id}`)
          if (found === undefined) return
          if (kind === 'table') tables.set(id, tableName(found))
          else fields.set(id, { table: tableName(objectOf(found['table'])), name: textOf(found['name']) ?? '' })
        })
    },
  }
}

export const tableName = (table: Loose): string =>
  [textOf(table['schema']), textOf(table['name'])].filter((part) => part !== undefined).join('.')
