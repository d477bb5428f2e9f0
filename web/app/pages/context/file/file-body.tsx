import { CodeText } from '../../../kit/data/code-text.tsx'
import { Reading } from '../../../kit/reading.tsx'
import { PlainLines } from './plain-lines.tsx'

/** The text of a file by its extension: prose, code, or plain lines. */
export const FileBody = ({ path, text, isSource }: { path: string; text: string; isSource: boolean }) => {
  if (text === '') return null
  if (/\.md$/i.test(path) && !isSource && text.length <= LONGEST_READ) return <Reading text={text} plain />
  const language = /\.sql$/i.test(path) ? 'sql' : /\.ya?ml$/i.test(path) ? 'yaml' : undefined
  return language === undefined || text.length > LONGEST_CODE ? (
    <PlainLines text={text} />
  ) : (
    <CodeText text={text} language={language} />
  )
}

// Longer files would render slowly as elements; plain lines are virtual.
const LONGEST_READ = 200_000
const LONGEST_CODE = 50_000
