/** The prefixes that a model family expects before a text; vectors with and without them are not comparable. */
export interface PrefixScheme {
  /** Part of an embedder's id. */
  readonly scheme: string
  readonly query: string
  readonly document: string
  /** The maximum number of characters that always fit the model. */
  readonly longest: number
}

// The longest chunk has 4,400 characters and a heading. BERT models read 512 tokens, 3 characters each at worst.
const PLAIN = { query: '', document: '', longest: 8_000 }
const SHORT = 1_536

const FAMILIES: readonly (PrefixScheme & { readonly pattern: RegExp })[] = [
  { ...PLAIN, pattern: /nomic-embed/, scheme: 'nomic', query: 'search_query: ', document: 'search_document: ' },
  {
    ...PLAIN,
    pattern: /(?:^|[^a-z0-9])e5-(?:small|base|large)/,
    scheme: 'e5',
    query: 'query: ',
    document: 'passage: ',
    longest: SHORT,
  },
  {
    ...PLAIN,
    pattern: /bge-(?:small|base|large)-en|mxbai-embed|snowflake-arctic-embed(?!2|-[lm]-v2)/,
    scheme: 'bge',
    query: 'Represent this sentence for searching relevant passages: ',
    longest: SHORT,
  },
  {
    ...PLAIN,
    pattern: /embedding-?gemma/,
    scheme: 'gemma',
    query: 'task: search result | query: ',
    document: 'title: none | text: ',
  },
  {
    ...PLAIN,
    pattern: /qwen3-embedding/,
    scheme: 'qwen3',
    query: 'Instruct: Given a question, retrieve passages that answer it\nQuery:',
  },
  { ...PLAIN, pattern: /all-minilm|gte-(?:small|base|large)$/, scheme: 'plain', longest: SHORT },
]

export function prefixesFor(model: string): PrefixScheme {
  const { scheme, query, document, longest } = FAMILIES.find(({ pattern }) => pattern.test(model.toLowerCase())) ?? {
    ...PLAIN,
    scheme: 'plain',
  }
  return { scheme, query, document, longest }
}

/**
 * Texts in order, in groups limited by number of texts and characters; a text over the limit forms a group of its own.
 */
export function inBatches<T extends { readonly text: string }>(
  items: readonly T[],
  { count, characters }: { count: number; characters: number },
): T[][] {
  const batches: T[][] = []
  let size = 0
  for (const item of items) {
    const open = batches.at(-1)
    if (open === undefined || open.length >= count || size + item.text.length > characters) {
      batches.push([item])
      size = 0
    } else open.push(item)
    size += item.text.length
  }
  return batches
}

/** Text without a letter or a digit has no meaning: its vector is zero, without calling a model. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
