import type { SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import { jsonText, listOf } from './json-text.ts'

/**
 * SQL condition for a scope on `d`, a row of ken.index_documents; begins with AND, or is empty. Equivalent to
 * `scopeFilter`. Its parameters are appended to `values`.
 */
export function scopePredicate(scope: SearchScope, values: SqlValue[]): string {
  const given = (value: SqlValue): number => values.push(value)
  const list = (all: readonly string[]) => listOf(given(jsonText(all)), 'text')
  const { within, collections, origins, tags, since, until } = scope
  return [
    within && `(d.workspace = ANY(${list(within.workspaces)}) OR d.record = ANY(${list(within.projects)}))`,
    collections && `d.collection = ANY(${list(collections)})`,
    origins && `d.origin = ANY(${list(origins)})`,
    tags !== undefined && tags.length > 0 && `d.tag_words @> ${list(tags.map((tag) => tag.toLowerCase()))}`,
    since !== undefined && `d.modified >= $${given(since)}::float8`,
    until !== undefined && `d.modified <= $${given(until)}::float8`,
  ]
    .filter((condition) => typeof condition === 'string')
    .map((condition) => ` AND ${condition}`)
    .join('')
}
