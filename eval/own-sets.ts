import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabelledDocument, LabelledPart, LabelledSet } from './labelled-sets.ts'
import { any, gain, hit } from './metrics.ts'
import { whole } from './read-sets.ts'

const ROOT = join(import.meta.dirname, '..')

interface OwnSet extends LabelledSet {
  readonly parts: readonly LabelledPart[]
}

/** The newest decision when the questions were written: one recorded later changes no figure. */
const LAST_DECISION = 83

/** Whether a decision's file was there when the questions were written. */
export const isAskedAbout = (path: string): boolean => Number(/(\d+)-[^/]*$/.exec(path)?.[1]) <= LAST_DECISION

/** Questions about this repository, as asked by a person who does not know its terms. */
export const ownSets = (): OwnSet[] => [
  own('own record', 'record', {
    origin: 'decision',
    documents: read('.ken/record/decisions/*.md').filter(({ path }) => isAskedAbout(path!)),
  }),
  own('own guides', 'guides', { origin: 'document', documents: read('docs/*.md', 'docs/guides/*.md') }),
  own('own code', 'code', {
    origin: 'code',
    documents: read('src/*/domain/**/*.ts', 'src/record/*.ts', 'src/memory/*.ts').filter(
      ({ path }) => !path!.endsWith('.test.ts'),
    ),
  }),
]

function own(name: string, file: string, { origin, documents }: Pick<LabelledPart, 'origin' | 'documents'>): OwnSet {
  const lines = readFileSync(join(import.meta.dirname, 'sets/retrieval', `${file}.txt`), 'utf8')
    .trim()
    .split('\n')
  const queries = lines.map((line) => {
    const [wanted = '', text = ''] = line.split(' | ')
    const at = documents.findIndex(({ path }) => isNamed(path!, wanted))
    if (at < 0) throw new Error(`sets/retrieval/${file}.txt asks for ${wanted}, which is not there`)
    return { text, relevant: new Set([at]), half: halfOf(text) }
  })
  const part = { origin, extension: origin === 'code' ? '.ts' : '.md', documents, queries }
  return { name, file: `sets/retrieval/${file}.txt`, parts: [part], metrics: [hit(1), any(5), gain(10)] }
}

/** Matches a decision by its number, anything else by the end of its path. */
const isNamed = (path: string, wanted: string): boolean =>
  /^\d+$/.test(wanted) ? path.includes(`/${wanted}-`) : path.endsWith(`/${wanted}`) || path === wanted

const halfOf = (text: string): 0 | 1 => (createHash('sha256').update(text).digest()[0]! % 2 === 0 ? 0 : 1)

const read = (...patterns: readonly string[]): LabelledDocument[] =>
  globSync(patterns, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => whole(readFileSync(join(ROOT, path), 'utf8'), path))
