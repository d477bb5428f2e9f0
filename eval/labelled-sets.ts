import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentOrigin } from '../src/retrieval/domain/ranking/indexed-document.ts'
import {
  readAdrTitles,
  readHowDoes,
  readLaidAside,
  readSupersededBeside,
  readSupersessions,
  readTitles,
  readTypos,
} from './adr-sets.ts'
import { any, gain, hit, recall, reciprocal, stale, type Metric } from './metrics.ts'
import { readBeam, readCosqa, readKnowl, readLocomoSessions, readLocomoTurns } from './read-sets.ts'

export interface LabelledDocument {
  /** Text of the file as Ken indexes it. */
  readonly file: string
  /** Path of the file, if relevant. */
  readonly path?: string
  /** The bare text; `pieces` are the parts of it that a model would get. */
  readonly text: string
  readonly pieces: readonly string[]
}

export interface LabelledQuery {
  readonly text: string
  readonly relevant: ReadonlySet<number>
  /** Documents that must not be returned. */
  readonly stale?: ReadonlySet<number>
  readonly limit?: number
  /** Half of the set, if not determined by the query's position: 0 is tuning, 1 held-out. */
  readonly half?: 0 | 1
  /** The query asks for something never mentioned; the labelled evidence is about something that was. */
  readonly isTrap?: boolean
}

/** Documents that are searched together, and questions with the documents that answer them. */
export interface LabelledPart {
  readonly origin: DocumentOrigin
  /** File name extension. */
  readonly extension: string
  readonly documents: readonly LabelledDocument[]
  readonly queries: readonly LabelledQuery[]
}

export interface LabelledSet {
  readonly name: string
  readonly file: string
  /** Undefined if the data is missing. */
  readonly parts: readonly LabelledPart[] | undefined
  readonly metrics: readonly Metric[]
}

/** Product metrics. A metric that once reached its target must not fall below it again. */
const PRODUCT = [
  {
    name: 'LoCoMo sessions',
    file: 'locomo/locomo10.json',
    read: readLocomoSessions,
    metrics: [
      hit(1, { baseline: '.715; .752 with e5-large', aim: 0.76 }),
      recall(10, { baseline: '.934', aim: 0.945 }),
      gain(5, { baseline: '.806; .829 with e5-large' }),
    ],
  },
  {
    name: 'BEAM 100K messages',
    file: 'beam/100K',
    read: readBeam,
    metrics: [any(10, { baseline: '.594', aim: 0.68 }), gain(10, { baseline: '.309' })],
  },
  {
    name: 'Knowl semantic-suite',
    file: 'knowl/semantic-suite.json',
    read: readKnowl,
    metrics: [gain(10, { baseline: '.792', aim: 0.9 }), recall(3, { baseline: '.785' })],
  },
  {
    name: 'Knowl retrieval-suite',
    file: 'knowl/retrieval-suite.json',
    read: readKnowl,
    metrics: [gain(10, { baseline: '.896', aim: 0.94 }), recall(3, { baseline: '.950' })],
  },
  {
    name: 'Knowl retrieval-suite v2',
    file: 'knowl/retrieval-suite-v2.json',
    read: readKnowl,
    metrics: [gain(10), recall(3), stale()],
  },
  {
    name: 'Knowl governance',
    file: 'knowl/retrieval-governance.json',
    read: readKnowl,
    metrics: [recall(1, { baseline: '.773' }), stale({ baseline: '22', aim: 4 })],
  },
  {
    name: 'CoSQA dev',
    file: 'cosqa/cosqa-retrieval-dev-500.json',
    read: readCosqa,
    metrics: [reciprocal({ baseline: '.329', aim: 0.4 }), gain(10, { baseline: '.336' })],
  },
  {
    name: 'ADR supersession',
    file: 'adrs/supersessions.jsonl',
    read: readSupersessions,
    metrics: [recall(5, { baseline: '.80', aim: 0.85 })],
  },
  {
    name: 'ADR supersession, both there',
    file: 'adrs/supersessions.jsonl',
    read: readSupersededBeside,
    metrics: [recall(5)],
  },
  {
    name: 'Superseded, by its own title',
    file: 'adrs/supersessions.jsonl',
    read: readLaidAside,
    metrics: [hit(1), any(10, { aim: 0.9 })],
  },
  { name: 'Titles', file: 'adrs', read: readTitles, metrics: [hit(1), any(10)] },
  { name: '"How does T work?"', file: 'adrs', read: readHowDoes, metrics: [hit(1), any(10)] },
  { name: 'Titles with a typo', file: 'adrs', read: readTypos, metrics: [hit(1), any(10)] },
]

/** Metrics of an embedding model, without the product around it. */
const MODEL = [
  { name: 'semantic-suite', file: 'knowl/semantic-suite.json', read: readKnowl },
  { name: 'retrieval-suite', file: 'knowl/retrieval-suite.json', read: readKnowl },
  { name: 'LoCoMo turns', file: 'locomo/locomo10.json', read: readLocomoTurns },
  { name: 'LoCoMo sessions', file: 'locomo/locomo10.json', read: readLocomoSessions },
  { name: 'CoSQA', file: 'cosqa/cosqa-retrieval-dev-500.json', read: readCosqa },
  { name: 'ADR title→body', file: 'adrs', read: readAdrTitles },
]

export function* productSets(folder: string, only: string | undefined): Generator<LabelledSet> {
  for (const { name, file, read, metrics } of PRODUCT) {
    if (only !== undefined && !name.toLowerCase().includes(only.toLowerCase())) continue
    yield { name, file, metrics, parts: existsSync(join(folder, file)) ? read(join(folder, file)) : undefined }
  }
}

/** Reads the sets for models; skips missing data, and questions that no document answers. */
export function modelSets(folder: string): { readonly name: string; readonly parts: readonly LabelledPart[] }[] {
  return MODEL.filter(({ file }) => existsSync(join(folder, file))).map(({ name, file, read }) => ({
    name,
    parts: read(join(folder, file)).map((part) => ({ ...part, queries: part.queries.filter(({ isTrap }) => !isTrap) })),
  }))
}
