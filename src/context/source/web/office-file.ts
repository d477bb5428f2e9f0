import { readFile } from 'node:fs/promises'
import { AppError } from '../../../kernel/domain/errors.ts'
import { withoutHidden } from '../../../kernel/domain/trust/visible.ts'
import { LARGEST_TEXT } from '../../../kernel/system/text-files.ts'
import { cutWhole } from '../../domain/sources/cut-whole.ts'
import { docxToMarkdown } from '../../domain/sources/docx-markdown.ts'
import { markupTitle, markupToMarkdown } from '../../domain/sources/markup-markdown.ts'
import { openZipArchive } from '../zip-archive.ts'

/** Exports from Google Docs or Word, by file extension, and the bytes that are read of one. */
export const OFFICE_FILE = /\.(?:html?|docx)$/i
export const LARGEST_OFFICE_FILE = 32 * 1024 ** 2

const BOUNDS = { mostEntries: 5_000, largestEntry: LARGEST_OFFICE_FILE, largestTotal: 256 * 1024 ** 2 }

/** Reads such an export as Markdown, with a title. */
export async function readOfficeFile(path: string, name: string): Promise<string> {
  const isPage = !/\.docx$/i.test(name)
  const markup = isPage ? (await readFile(path)).toString('utf8') : ''
  const body = isPage ? directLinks(markupToMarkdown(markup)) : directLinks(await readDocx(path))
  const title = (isPage ? markupTitle(markup) : undefined) ?? name.replace(/^.*\//s, '').replace(OFFICE_FILE, '')
  const text = /^# /m.test(body) ? body : `# ${title}\n\n${body}`
  return cutWhole(withoutHidden(text), LARGEST_TEXT)
}

async function readDocx(path: string): Promise<string> {
  const zip = await openZipArchive(path, BOUNDS)
  try {
    const known = new Set(zip.entries.map((entry) => entry.path))
    if (!known.has('word/document.xml'))
      throw new AppError('damaged', `${path} is not a Word document.`, { hint: 'Export it again, or exclude it.' })
    const part = async (name: string): Promise<string> =>
      known.has(name) ? (await zip.read(name)).toString('utf8') : ''
    return docxToMarkdown({
      document: await part('word/document.xml'),
      links: await part('word/_rels/document.xml.rels'),
      styles: await part('word/styles.xml'),
      numbering: await part('word/numbering.xml'),
    })
  } finally {
    await zip.close()
  }
}

/** Restores the link targets: Google Docs routes every link of an export through itself. */
const directLinks = (text: string): string =>
  text.replaceAll(/https:\/\/www\.google\.com\/url\?q=([^&\s)]+)[^\s)]*/g, (whole, target: string) => {
    try {
      return decodeURIComponent(target)
    } catch {
      return whole
    }
  })
