import { useQuery } from '@tanstack/react-query'
import { classNames } from '../class-names.ts'
import css from './code-text.module.css'

interface CodeTextProps {
  readonly text: string
  readonly language: 'sql' | 'yaml'
  readonly className?: string | undefined
}

/** Read-only code: initially plain text, highlighted once the grammar has loaded. */
export function CodeText({ text, language, className }: CodeTextProps) {
  const { data: piecesOf } = useQuery({
    queryKey: ['grammar', language],
    queryFn: async () => (await import('./code-pieces.ts')).piecesOf,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const isShort = text.length <= LONGEST
  const pieces = piecesOf !== undefined && isShort ? piecesOf(text, language) : [{ text, kind: '' }]
  return (
    <pre className={classNames(css.code, className)} tabIndex={0}>
      <code>
        {pieces.map((piece, at) =>
          piece.kind === '' ? (
            piece.text
          ) : (
            <span key={at} className={css[piece.kind]}>
              {piece.text}
            </span>
          ),
        )}
      </code>
    </pre>
  )
}

// Longer statements are generated, and highlighting would only slow them down.
const LONGEST = 50_000
