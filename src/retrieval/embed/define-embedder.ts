import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { Embedder } from '../ports/embedder.ts'

/** Computes vectors in this process: no text leaves it. */
export interface LocalEmbedder<N extends string = string> {
  /** As search.embedder spells it: one word, or a kind and what names the model, e.g. `onnx:<name>`. */
  readonly name: N
  readonly sendsText: false
  /** Undefined where this package was made without the model. */
  open(parts: LocalParts): Promise<Embedder | undefined>
}

/** Asks a server for vectors. Whatever it does, the texts that reach it have had their secrets taken out. */
export interface RemoteEmbedder<N extends string = string> {
  readonly name: N
  readonly sendsText: true
  /** Where it runs when search.embedderUrl is empty. */
  readonly usualUrl: string
  /**
   * The environment variable with the key for that address, which must be set unless search.embedderKey names another;
   * undefined where none is needed.
   */
  readonly usualKey: string | undefined
  open(parts: RemoteParts): Promise<Embedder>
}

interface LocalParts {
  /** What follows the colon in search.embedder; empty for a name of one word. */
  readonly model: string
  /** The model file that comes with Ken. */
  readonly bundledModel: string
  /** Where `ken models pull` puts models. */
  readonly modelsFolder: string
}

export interface RemoteParts {
  readonly model: string
  readonly url: string
  readonly key: string | undefined
  /** Ends whatever is under way when Ken ends; the embedder is of no use then. */
  readonly signal: AbortSignal
}

/** One that sends text, as it is offered: opening it takes a redactor, which its definition need not know. */
export interface RedactedEmbedder<N extends string = string> extends Omit<RemoteEmbedder<N>, 'open'> {
  open(parts: RemoteParts & { readonly redactor: Redactor }): Promise<Embedder>
}

export type DefinedEmbedder<N extends string = string> = LocalEmbedder<N> | RedactedEmbedder<N>

/** Defines an embedder where it lives; one line in EMBEDDERS of app/providers.ts offers it. */
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

/** Here and not in each embedder, so that a new one cannot forget it. */
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
