import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { Embedder } from '../ports/embedder.ts'

/** Computes vectors in this process: no text leaves it. */
export interface LocalEmbedder<N extends string = string> {
  /** As in search.embedder: one word, or a kind and a model name, e.g. `onnx:<name>`. */
  readonly name: N
  readonly sendsText: false
  /** Undefined if this package was built without the model. */
  open(parts: LocalParts): Promise<Embedder | undefined>
}

/** Requests vectors from a server. Secrets are always removed from the texts first. */
export interface RemoteEmbedder<N extends string = string> {
  readonly name: N
  readonly sendsText: true
  /** Default address if search.embedderUrl is empty. */
  readonly usualUrl: string
  /**
   * The environment variable with the key for `usualUrl`, which must be set unless search.embedderKey names another;
   * undefined if none is needed.
   */
  readonly usualKey: string | undefined
  open(parts: RemoteParts): Promise<Embedder>
}

interface LocalParts {
  /** The part after the colon in search.embedder; empty for a name of one word. */
  readonly model: string
  /** The model file that comes with Ken. */
  readonly bundledModel: string
  /** Folder for models from `ken models pull`. */
  readonly modelsFolder: string
}

export interface RemoteParts {
  readonly model: string
  readonly url: string
  readonly key: string | undefined
  /** Aborts pending work when Ken exits; the embedder cannot be used after that. */
  readonly signal: AbortSignal
}

/** A remote embedder as offered: opening it takes a redactor, which its definition does not depend on. */
export interface RedactedEmbedder<N extends string = string> extends Omit<RemoteEmbedder<N>, 'open'> {
  open(parts: RemoteParts & { readonly redactor: Redactor }): Promise<Embedder>
}

export type DefinedEmbedder<N extends string = string> = LocalEmbedder<N> | RedactedEmbedder<N>

/** Defines an embedder in a separate module; one line in EMBEDDERS of app/providers.ts offers it. */
export function defineEmbedder<const N extends string>(definition: LocalEmbedder<N>): LocalEmbedder<N>
export function defineEmbedder<const N extends string>(definition: RemoteEmbedder<N>): RedactedEmbedder<N>
export function defineEmbedder<const N extends string>(
  definition: LocalEmbedder<N> | RemoteEmbedder<N>,
): DefinedEmbedder<N> {
  if (!definition.sendsText) return definition
  const open: RedactedEmbedder['open'] = async ({ redactor, ...parts }) =>
    redacting(await definition.open(parts), redactor)
  return { ...definition, open }
}

/** Removes secrets here rather than in each embedder, so that a new one cannot omit it. */
function redacting(embedder: Embedder, redactor: Redactor): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    calibration: embedder.calibration,
    knows: (word) => embedder.knows(word),
    close: () => embedder.close(),
    async embed(texts, purpose, weigh) {
      const clean: string[] = []
      for (const text of texts) clean.push((await redactor.redact(text)).text)
      return embedder.embed(clean, purpose, weigh)
    },
  }
}
