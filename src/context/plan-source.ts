import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isBelow } from '../kernel/domain/below-folder.ts'
import { closeMatch } from '../kernel/domain/close-match.ts'
import { AppError } from '../kernel/domain/errors.ts'
import { addressParts } from './domain/context-project/address-parts.ts'
import {
  entryKinds,
  kindNamed,
  proposeByFields,
  proposeByPlace,
  proposePointed,
  type EntryKind,
  type Proposal,
} from './domain/context-project/propose-entry.ts'
import { hasReference, withoutLogin } from './domain/context-project/secret-fields.ts'
import type { ContextRules } from './domain/context-project/source-rules.ts'
import type { SourceDiscovery, Seen } from './ports/source-discovery.ts'

/** Requested source, before it has a place in ken.yaml. */
export interface PlannedSource extends Proposal {
  /** Name that the person gave; otherwise a name is derived. */
  readonly name: string | undefined
  readonly usualName: string
  /** Size of a database file. */
  readonly bytes: number | undefined
}

export interface PlanParts {
  readonly rules: ContextRules
  readonly scout: SourceDiscovery
  /** Project folder, with links resolved. */
  readonly root: string
  /** Folder that typed paths are relative to, with links resolved. */
  readonly from: string
  /** Absolute path of a typed path. */
  pathNamed(path: string): string
  /** Variable from the environment or `.env`. */
  lookup(name: string): string | undefined
}

/**
 * Parses the arguments of `ken source add`: things to add, each one argument, or a kind and its fields. Opens nothing;
 * an error for a missing file suggests similar names.
 */
export async function planSources(words: readonly string[], parts: PlanParts): Promise<readonly PlannedSource[]> {
  const [first = '', ...rest] = words
  const kind = kindNamed(first, parts.rules)
  const isKind =
    kind !== undefined && (rest.length > 0 || (await parts.scout.look(parts.pathNamed(first))) === undefined)
  if (isKind) return [await placed(proposeByFields(kind, rest), parts)]
  const planned: PlannedSource[] = []
  for (const word of words) {
    const before = planned.at(-1)
    const field = /^([A-Za-z]\w*)=/.exec(word)?.[1]
    if (before !== undefined && field !== undefined && before.kind.fields.includes(field))
      planned[planned.length - 1] = await withField(before, word, parts)
    else planned.push(await planWord(word, parts))
  }
  return planned
}

/** `ken source add https://… token=…`: a field of the preceding source. */
async function withField(source: PlannedSource, pair: string, parts: PlanParts): Promise<PlannedSource> {
  const { fields } = await placed(proposeByFields(source.kind, [pair]), parts)
  const all = { ...source.fields, ...fields }
  return { ...source, fields: all, name: typeof fields['name'] === 'string' ? fields['name'] : source.name }
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i

async function planWord(word: string, parts: PlanParts): Promise<PlannedSource> {
  if (ADDRESS.test(word)) return planAddress(word, parts)
  const seen = await parts.scout.look(parts.pathNamed(word))
  if (seen !== undefined) return planPlace(word, seen, parts)
  const [, name, named] = /^([A-Za-z0-9][\w.-]*)=(.+)$/s.exec(word) ?? []
  if (name !== undefined && named !== undefined) return { ...(await planWord(named, parts)), name }
  const variable = /^\$(?:(\w+)|\{(\w+)\})$/.exec(word)
  if (variable !== null) return planVariable((variable[1] ?? variable[2])!, parts)
  const [, kindWord = '', where = ''] = /^([A-Za-z][\w-]*):(.+)$/s.exec(word) ?? []
  const kind = kindNamed(kindWord, parts.rules)
  if (kind !== undefined) return placed(proposeByPlace(kind, where), parts)
  if (/^[A-Z][A-Z0-9_]*$/.test(word) && parts.lookup(word) !== undefined) return planVariable(word, parts)
  throw await nothingThere(word, kindWord, parts)
}

function planAddress(address: string, { rules }: PlanParts): PlannedSource {
  const proposal = proposePointed({ where: address, is: 'address', head: '', names: [] }, rules)
  if (proposal !== undefined) return withName(proposal)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1] ?? 'this'
  throw new AppError('invalid_input', `Sources with a ${scheme} address are not supported.`, { hint: kindsHint(rules) })
}

/** The variable's value determines the kind; ken.yaml gets its name, not its value. */
function planVariable(variable: string, parts: PlanParts): PlannedSource {
  const value = parts.lookup(variable)
  if (value === undefined || value === '')
    throw new AppError('not_found', `${variable} is not set.`, {
      hint: `Set it in the environment or in .env, or name its kind: \`ken source add postgres url='\${${variable}}'\`.`,
    })
  const proposal = ADDRESS.test(value) ? planAddress(value, parts) : undefined
  const field = Object.entries(proposal?.fields ?? {}).find(([, text]) => text === value)?.[0]
  if (proposal === undefined || field === undefined)
    throw new AppError('invalid_input', `${variable} does not contain a complete address.`, {
      hint: `Name its field: \`ken source add KIND field='\${${variable}}'\`.`,
    })
  return { ...proposal, fields: { ...proposal.fields, [field]: `\${${variable}}` } }
}

async function planPlace(typed: string, seen: Seen, parts: PlanParts): Promise<PlannedSource> {
  const where = placeOf(typed, parts)
  refuseLinkOut(typed, seen, parts)
  const proposal = proposePointed({ where, is: seen.is, head: seen.head, names: seen.names }, parts.rules)
  const holdsProject = seen.place === parts.root || isBelow(parts.root, seen.place)
  if (holdsProject && proposal?.fit !== 'certain')
    throw new AppError('invalid_input', `${typed} contains the context project itself.`, {
      hint: 'Use a folder next to or inside it.',
    })
  if (proposal === undefined)
    throw new AppError('invalid_input', `${typed} is not a supported data file.`, {
      hint: 'Use a DuckDB, SQLite, CSV, TSV or Parquet file, a folder of documents, a repository or a dbt project.',
    })
  return { ...withName(proposal), bytes: seen.is === 'file' ? seen.bytes : undefined }
}

/** Rewrites a typed path for ken.yaml. */
async function placed(proposal: Proposal, parts: PlanParts): Promise<PlannedSource> {
  const { path } = proposal.fields
  if (typeof path !== 'string' || path === '' || hasReference(path) || /^[a-z][a-z0-9+.-]+:/i.test(path))
    return withName(proposal)
  const seen = await parts.scout.look(parts.pathNamed(path))
  if (seen === undefined) throw await nothingThere(path, '', parts)
  refuseLinkOut(path, seen, parts)
  refuseOtherKind(path, seen, proposal.kind, parts.rules)
  const fields = { ...proposal.fields, path: placeOf(path, parts) }
  return { ...withName({ ...proposal, fields }), bytes: seen.is === 'file' ? seen.bytes : undefined }
}

/** Inside the project a path is written relative to its root; elsewhere as typed. */
function placeOf(typed: string, { root, from, pathNamed }: PlanParts): string {
  const isAway = isAbsolute(typed) || typed.startsWith('~')
  const full = isAway ? pathNamed(typed) : resolve(from, typed)
  const way = relative(root, full)
  const isInside = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  return isInside || !isAway ? (way === '' ? '.' : way.split(sep).join('/')) : full
}

/** A person who names a file in this folder does not know that a link in it leads elsewhere. */
function refuseLinkOut(typed: string, { place }: Seen, parts: PlanParts): void {
  const isOutside = (path: string): boolean =>
    /^\.\.(?:[/\\]|$)/.test(relative(parts.root, path)) || isAbsolute(relative(parts.root, path))
  const where = placeOf(typed, parts)
  if (isAbsolute(where) || where.startsWith('..') || !isOutside(place)) return
  throw new AppError('forbidden', `${typed} is a link that leads out of the project, to ${place}.`, {
    hint: 'Use the target path itself if intended.',
  })
}

function refuseOtherKind(path: string, seen: Seen, kind: EntryKind, rules: ContextRules): void {
  if (!kind.isFile) return
  const actual = proposePointed({ where: path, is: seen.is, head: seen.head, names: seen.names }, rules)
  if (actual?.kind.word === kind.word || (seen.is === 'file' && actual === undefined)) return
  throw new AppError(
    'invalid_input',
    `${path} is ${seen.is === 'folder' ? 'a folder' : `a ${actual!.kind.label} file`}, not ${kind.label}.`,
    {
      hint: `Omit the type: \`ken source add ${path}\`.`,
    },
  )
}

const withName = (proposal: Proposal): PlannedSource => ({
  ...proposal,
  name: typeof proposal.fields['name'] === 'string' ? proposal.fields['name'] : undefined,
  usualName: usualName(proposal),
  bytes: undefined,
})

/** File, folder, repository or database name; a host if there is nothing better. */
function usualName({ kind, fields }: Proposal): string {
  const { path, url, database, dataset, catalog, project } = fields
  const parts = typeof url === 'string' ? addressParts(url) : undefined
  const inPath = typeof path === 'string' ? path.split(/[/\\]/).findLast((part) => !/^\.{0,2}$/.test(part)) : undefined
  const inUrl =
    parts === undefined ? lastOf(url) : kind.kind === 'docs' ? parts.host : (parts.path.at(-1) ?? parts.host)
  const found = [inPath, inUrl, database, dataset, catalog, project].find(
    (one): one is string => typeof one === 'string' && one !== '' && !hasReference(one),
  )
  const name = (found ?? kind.word)
    .replace(/\.(?:[a-z]\w{0,7})$/i, '')
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return (name || kind.word).slice(0, 63)
}

/** Last part of `git@host:owner/name.git`. */
const lastOf = (url: unknown): string | undefined =>
  typeof url === 'string' && !hasReference(url) ? url.split(/[/:]/).at(-1) : undefined

async function nothingThere(
  given: string,
  kindWord: string,
  { rules, scout, pathNamed }: PlanParts,
): Promise<AppError> {
  const word = withoutLogin(given)
  const near = await scout.near(pathNamed(given))
  if (near !== undefined)
    return new AppError('not_found', `${word} not found.`, {
      hint: `Did you mean "${word.replace(/[^/\\]*$/, '')}${near}"?`,
    })
  const kinds = entryKinds(rules)
  const meant =
    kindWord === ''
      ? undefined
      : closeMatch(
          kindWord,
          kinds.map((kind) => kind.word),
        )
  if (meant !== undefined)
    return new AppError('not_found', `No kind of source named "${kindWord}".`, { hint: `Did you mean "${meant}"?` })
  const isKindLike = kindWord !== '' || !/[./\\]/.test(word)
  return new AppError('not_found', isKindLike ? `No file or kind of source named "${word}".` : `${word} not found.`, {
    hint: isKindLike
      ? kindsHint(rules)
      : `Check the path; or name the kind: ${kinds.map((kind) => kind.word).join(', ')}.`,
  })
}

const kindsHint = (rules: ContextRules): string =>
  `Give a file, a folder or an address, or one of: ${entryKinds(rules)
    .map(({ word }) => word)
    .join(', ')}.`
