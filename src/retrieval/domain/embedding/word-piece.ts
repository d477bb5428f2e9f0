/** Tokenises text into the ids of a BERT model. */
export interface WordPieces {
  /** At most `most` ids, without the beginning and end markers. */
  encode(text: string, most: number): number[]
  /** The markers around every text. */
  readonly first: number
  readonly last: number
}

// A longer run of letters is one unknown word, as in the models' own tokenizer.
const LONGEST_WORD = 100

/** Reads a `tokenizer.json` of the BERT family; undefined for any other kind. */
export function readWordPieces(tokenizer: unknown): WordPieces | undefined {
  const { model, normalizer } = (tokenizer ?? {}) as TokenizerFile
  if (model?.type !== 'WordPiece' && model?.continuing_subword_prefix !== '##') return undefined
  const vocabulary = new Map(Object.entries(model.vocab ?? {}))
  const [first, last, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => vocabulary.get(mark))
  if (first === undefined || last === undefined || unknown === undefined) return undefined
  const lowercase = normalizer?.lowercase !== false
  return {
    first,
    last,
    encode(text, most) {
      const numbers: number[] = []
      for (const word of wordsOf(text, lowercase)) {
        numbers.push(...(piecesOf(word, vocabulary) ?? [unknown]))
        if (numbers.length >= most) return numbers.slice(0, most)
      }
      return numbers
    },
  }
}

interface TokenizerFile {
  readonly model?: {
    readonly type?: string
    readonly vocab?: Readonly<Record<string, number>>
    readonly continuing_subword_prefix?: string
  }
  readonly normalizer?: { readonly lowercase?: boolean } | null
}

const INVISIBLE = /[\p{C}\ufffd]/gu
const IDEOGRAPH = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2ebef}\\u{2f800}-\\u{2fa1f}'
// ASCII symbols such as $ and + are separate tokens too, though Unicode does not class them as punctuation.
const MARK = '\\p{P}$+<=>^`|~'
const WORD = new RegExp(`[${IDEOGRAPH}${MARK}]|[^\\s${IDEOGRAPH}${MARK}]+`, 'gu')

function* wordsOf(text: string, lowercase: boolean): Generator<string> {
  const clean = text.replace(/[\t\n\r]/g, ' ').replace(INVISIBLE, '')
  const folded = lowercase
    ? clean
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()
    : clean
  for (const [word] of folded.matchAll(WORD)) yield word
}

/** Greedy, the longest piece first; undefined for a word with any unknown piece. */
function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>): number[] | undefined {
  const letters = [...word]
  if (letters.length > LONGEST_WORD) return undefined
  const pieces: number[] = []
  for (let start = 0; start < letters.length;) {
    let end = letters.length
    let piece: number | undefined
    for (; end > start; end--) {
      piece = vocabulary.get((start > 0 ? '##' : '') + letters.slice(start, end).join(''))
      if (piece !== undefined) break
    }
    if (piece === undefined) return undefined
    pieces.push(piece)
    start = end
  }
  return pieces
}
