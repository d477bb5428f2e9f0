import { parseDocument } from 'yaml'
import { yamlExcess, type YamlBounds } from '../../../kernel/domain/yaml-bounds.ts'

// Parsing the largest accepted file takes a second, measured.
const MODEL_BOUNDS: YamlBounds = { characters: 1024 * 1024, tokens: 250_000, depth: 32, aliases: 100 }

/** Parses YAML that describes data models: returns its value, or why it cannot be read. */
export function readModelYaml(text: string): { readonly value: unknown } | { readonly reason: string } {
  const excess = yamlExcess(text, MODEL_BOUNDS)
  if (excess !== undefined) return { reason: excess }
  try {
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, merge: true, logLevel: 'silent' })
    const [fault] = document.errors
    return fault === undefined
      ? { value: document.toJS({ maxAliasCount: MODEL_BOUNDS.aliases }) }
      : { reason: `it is not YAML (line ${text.slice(0, fault.pos[0]).split('\n').length})` }
  } catch {
    return { reason: 'it is not YAML, or its aliases stand for too much' }
  }
}
