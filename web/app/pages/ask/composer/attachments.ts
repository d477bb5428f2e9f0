/** A file attached to a question. */
export type Attachment =
  | { readonly kind: 'image'; readonly name: string; readonly url: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }

export interface TakenFiles {
  readonly taken: readonly Attachment[]
  /** One sentence for each refused file, with a hint. */
  readonly refused: readonly string[]
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const MOST_IMAGES = 4
const LARGEST_IMAGE = 5 * 1024 * 1024
/** Leaves room for the question: question and texts together have at most 20,000 characters. */
export const LONGEST_TEXT = 15_000

/** Attaches the accepted files: images, and texts that are short enough to be read whole. */
export async function takeFiles(files: readonly File[], present: readonly Attachment[]): Promise<TakenFiles> {
  const taken: Attachment[] = []
  const refused: string[] = []
  for (const file of files) {
    const one = await takeFile(file, [...present, ...taken])
    if (typeof one === 'string') refused.push(one)
    else taken.push(one)
  }
  return { taken, refused }
}

async function takeFile(file: File, present: readonly Attachment[]): Promise<Attachment | string> {
  if (IMAGES.has(file.type)) {
    if (present.filter(({ kind }) => kind === 'image').length >= MOST_IMAGES)
      return `${file.name} was not added: a question takes ${MOST_IMAGES} images.`
    if (file.size > LARGEST_IMAGE) return `${file.name} is larger than 5 MB. Shrink it and add it again.`
    return { kind: 'image', name: file.name, url: await dataUrl(file) }
  }
  if (file.type.startsWith('image/')) return `${file.name} has an unsupported format. Use PNG, JPEG, GIF or WebP.`
  const used = present.reduce((sum, one) => sum + (one.kind === 'text' ? one.text.length : 0), 0)
  const text = file.size > 4 * LONGEST_TEXT ? undefined : await plainText(file)
  if (text === undefined)
    return `${file.name} is not a text file, or too long. Add it to the project’s context and mention it with @.`
  if (used + text.length > LONGEST_TEXT)
    return `${file.name} is too long: a question takes texts of ${LONGEST_TEXT.toLocaleString('en')} characters together.`
  return { kind: 'text', name: file.name, text }
}

/** Text of a file; undefined if it is binary. */
async function plainText(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

async function dataUrl(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  // Limits the number of arguments per call.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return `data:${file.type};base64,${btoa(binary)}`
}

/** The question followed by the texts of its files, each in a fence that its content cannot close. */
export function withTexts(question: string, attachments: readonly Attachment[]): string {
  const texts = attachments.flatMap((one) => (one.kind === 'text' ? [one] : []))
  return [question, ...texts.map(({ name, text }) => `File ${name}:\n${fenced(text)}`)].filter(Boolean).join('\n\n')
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}
