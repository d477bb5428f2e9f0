import { AppError } from '../../../kernel/domain/errors.ts'

// Characters of a part as JSON: an image of 6 MB fits. A part that does not fit into the database's page cache slows
// down every reader of its chat.
export const MOST_PART = 8 * 1024 * 1024

// Maximum number of characters of a query's rows as JSON: 10,000 rows of eight columns are about 1 MB.
export const MOST_ROWS = 8 * 1024 * 1024

export function checkPartSize(characters: number): void {
  if (characters <= MOST_PART) return
  throw new AppError(
    'invalid_input',
    `A chat part is limited to ${inMegabytes(MOST_PART)}; this one has ${inMegabytes(characters)}.`,
    { hint: 'Attach a smaller image or less text.' },
  )
}

/** The first rows, as many as are stored. */
export function rowsThatFit<Row>(rows: readonly Row[]): readonly Row[] {
  let characters = 2
  for (const [index, row] of rows.entries()) {
    characters += JSON.stringify(row).length + 1
    if (characters > MOST_ROWS) return rows.slice(0, index)
  }
  return rows
}

/**
 * Makes a text storable in every database: invalid Unicode and NUL become U+FFFD, so that its length stays the same.
 */
export const keptText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

const inMegabytes = (characters: number): string => `${Math.round((characters / 1024 / 1024) * 10) / 10} MB`
