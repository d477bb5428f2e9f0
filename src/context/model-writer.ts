import { AppError } from '../kernel/domain/errors.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import { unframe } from './domain/context-project/framed-file.ts'
import type { ManifestEntry } from './domain/context-project/manifest.ts'
import type { ContextProject } from './ports/context-project.ts'
import type { ModelDocument, SourceItem } from './ports/source.ts'
import { hashOf, isOurs, type TreeDocument } from './write-item.ts'

export interface ModelWritten {
  readonly documents: readonly TreeDocument[]
  /** Names of documents that are not up to date with the source. */
  readonly lacks: readonly string[]
  readonly failures: readonly string[]
}

export interface ModelWriter {
  isSet(): Promise<boolean>
  /** Requests only documents that were not requested before with the same prompt. */
  write(asked: readonly ModelDocument[], item: SourceItem, before: ManifestEntry | undefined): Promise<ModelWritten>
}

interface WriterParts {
  readonly project: ContextProject
  readonly language: () => Promise<LanguageModel | undefined>
  readonly now: () => Date
}

const DEADLINE = 60_000
const MAX_TOKENS = 600
/** A model that failed this often in one build is not tried again. */
const MOST_FAILURES = 3

/** Has a language model write the documents that sources request. If it fails, the old text stays, marked as stale. */
export function openModelWriter({ project, language, now }: WriterParts): ModelWriter {
  let failed = 0

  async function ask(model: LanguageModel, document: ModelDocument, prompt: string): Promise<string> {
    if (failed >= MOST_FAILURES)
      throw new AppError('unavailable', `${model.id} failed ${failed} times and is skipped for the rest of this run`, {
        hint: 'Run `ken debug` for details.',
      })
    try {
      const answer = await model.write({
        system: document.system,
        prompt,
        maxTokens: MAX_TOKENS,
        signal: AbortSignal.timeout(DEADLINE),
      })
      failed = 0
      return (await project.redact(document.wrap(answer, model.id))).text
    } catch (error) {
      failed++
      throw error
    }
  }

  async function writeOne(
    document: ModelDocument,
    path: string,
    before: ManifestEntry | undefined,
  ): Promise<{ document?: TreeDocument; isLacking: boolean; failure?: string }> {
    const { text: prompt } = await project.redact(document.prompt)
    const asked = hashOf(`${document.system}\n${prompt}`)
    const there = (await project.tree.read(path)) ?? ''
    const owned = before?.files.find((file) => file.path === path)
    const isByHand = there !== '' && !isOurs(there, owned, before?.unfinished ?? false)
    const old = {
      name: document.name,
      text: unframe(there) ?? there,
      framed: true,
      ...(owned?.model && { model: owned.model }),
    }
    if (isByHand || (there !== '' && owned?.model?.asked === asked)) return { document: old, isLacking: false }
    const stale = (reason: string): TreeDocument => ({
      ...old,
      stale: { since: /^stale_since: (\S+)$/m.exec(there.slice(0, 1_000))?.[1] ?? now().toISOString(), reason },
    })
    const kept = (reason: string) => (there === '' ? {} : { document: stale(reason) })
    try {
      const model = await language()
      if (model === undefined) return { ...kept('no language model is set'), isLacking: true }
      return {
        document: {
          name: document.name,
          text: await ask(model, document, prompt),
          framed: true,
          model: { id: model.id, asked },
        },
        isLacking: false,
      }
    } catch (thrown) {
      const failure = (await project.redact(toAppError(thrown).line)).text
      return { ...kept(failure), isLacking: true, failure }
    }
  }

  return {
    // An invalid setting counts as set and is reported when it is used.
    isSet: () =>
      language().then(
        (model) => model !== undefined,
        () => true,
      ),
    async write(asked, item, before) {
      const written = await Promise.all(
        asked.map(async (document) => ({
          name: document.name,
          ...(await writeOne(document, `${item.path}/${document.name}`, before)),
        })),
      )
      return {
        documents: written.flatMap(({ document }) => document ?? []),
        lacks: written.filter(({ isLacking }) => isLacking).map(({ name }) => name),
        failures: written.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`])),
      }
    },
  }
}
