import { existsSync, readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, parseDocument, type Document } from 'yaml'
import { closeMatch } from '../domain/close-match.ts'
import { AppError } from '../domain/errors.ts'
import { readSetting, type SettingDefinition } from '../domain/settings.ts'
import type { Settings, SettingValue } from '../ports/settings.ts'
import { writeAtomically } from './atomic-file.ts'

export interface YamlSettingsOptions {
  readonly path: string
  readonly definitions: readonly SettingDefinition[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called for an invalid value; the default is used instead. */
  warn(message: string): void
}

/** The user's settings in config.yml, overridden by the environment. */
export function openYamlSettings({ path, definitions, environment, warn }: YamlSettingsOptions): Settings {
  let document: Document | undefined
  let stamp = ''

  const value = (definition: SettingDefinition): SettingValue => {
    const { name, kind, fallback, help, form, fromPage } = definition
    const facts = { name, kind, fallback, help, fromPage, environment: definition.environment }
    const fromEnvironment = definition.environment === undefined ? undefined : environment[definition.environment]
    for (const [source, raw] of [
      ['environment', fromEnvironment],
      // Without a file there is nothing to parse, and the YAML library need not be loaded.
      ['config', existsSync(path) ? load().getIn(name.split('.')) : undefined],
    ] as const) {
      if (raw === undefined || raw === null) continue
      const read = readSetting(definition, plain(raw))
      if (read !== undefined) return { ...facts, value: read, source }
      const fault = form === undefined ? `: ${JSON.stringify(plain(raw))} is not a ${kind}` : ` ${form.fault}`
      warn(`${source === 'environment' ? definition.environment : `${path}: ${name}`}${fault}; using the default.`)
    }
    return { ...facts, value: fallback, source: 'default' }
  }

  return {
    list: () => definitions.map(value),
    get: (name) => value(definitionOf(name)),
    check: (name, text) => void checked(name, text),
    set(name, text) {
      const read = checked(name, text)
      change((doc) => {
        doc.setIn(placeIn(doc, name), read)
        return true
      })
    },
    unset(name) {
      definitionOf(name)
      const place = name.split('.')
      change((doc) => doc.hasIn(place) && doc.deleteIn(place))
    },
    unknown() {
      if (!existsSync(path)) return []
      const known = definitions.map(({ name }) => name)
      const named = namesIn(plain(load().contents)).filter((name) => !known.includes(name))
      return named.map((name) => ({ name, meant: closeMatch(name, known) }))
    },
  }

  function checked(name: string, text: string | readonly string[]): unknown {
    const definition = definitionOf(name)
    const { kind, form } = definition
    const read = readSetting(definition, text)
    if (read === undefined && form !== undefined)
      throw new AppError('invalid_input', `${name} ${form.fault}.`, { hint: form.hint })
    if (read === undefined)
      throw new AppError('invalid_input', `${name}: "${String(text)}" is not a ${kind}.`, { hint: EXAMPLES[kind] })
    return read
  }

  /** Reads the file again after a write: a server must use settings changed elsewhere. */
  function load(): Document {
    const found = statSync(path, { throwIfNoEntry: false })
    const now = found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
    if (now !== stamp) document = undefined
    document ??= parseDocument(found === undefined ? '' : readFileSync(path, 'utf8'))
    stamp = now
    if (document.errors.length > 0) {
      throw new AppError('damaged', `${path} is not valid YAML: ${document.errors[0]!.message.split('\n')[0]}`, {
        hint: 'Fix the file, or move it away to start from the defaults.',
      })
    }
    return document
  }

  /** Path of a setting in the file. Throws if a parent key has a plain value. */
  function placeIn(doc: Document, name: string): readonly string[] {
    const place = name.split('.')
    const parent = place.slice(0, -1)
    const held = parent.length === 0 ? undefined : doc.getIn(parent, true)
    if (held === undefined || held === null || isMap(held) || (isScalar(held) && held.value === null)) return place
    throw new AppError('damaged', `${path}: "${parent.join('.')}" holds a value, so ${name} has no place there.`, {
      hint: `Remove that line from the file, then set ${name} again.`,
    })
  }

  /** `edit` returns whether it changed anything; if not, nothing is written. */
  function change(edit: (doc: Document) => boolean): void {
    // Discarded because another process may have written to the file since.
    document = undefined
    const doc = load()
    if (!edit(doc)) return
    // Readable only by the owner: the file may name services and their keys.
    writeAtomically(path, String(doc), 0o600)
  }

  function definitionOf(name: string): SettingDefinition {
    const definition = definitions.find((d) => d.name === name)
    if (definition === undefined)
      throw new AppError('invalid_input', `No setting named "${name}".`, { hint: meantBy(name) })
    return definition
  }

  function meantBy(name: string): string {
    const meant = closeMatch(
      name,
      definitions.map((each) => each.name),
    )
    return `${meant === undefined ? '' : `Did you mean "${meant}"? `}\`ken config\` lists them.`
  }
}

// Sections with a different format.
const OTHERS = new Set(['collections'])

/** Dotted names, one for every value; a section with a plain value is named as is. */
function namesIn(contents: unknown): string[] {
  if (!isSection(contents)) return []
  return Object.entries(contents)
    .filter(([section]) => !OTHERS.has(section))
    .flatMap(([section, values]) =>
      isSection(values) ? Object.keys(values).map((name) => `${section}.${name}`) : values === null ? [] : [section],
    )
}

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const EXAMPLES = {
  switch: 'Use true or false.',
  text: '',
  number: 'Use a number.',
  size: 'Use a size such as 500MB or 2GB.',
  duration: 'Use a duration such as 90d, 2w, 6m or 1y, or off.',
  list: 'Use words separated by commas.',
} as const

const plain = (raw: unknown): unknown =>
  typeof raw === 'object' && raw !== null && 'toJSON' in raw ? (raw as { toJSON(): unknown }).toJSON() : raw
