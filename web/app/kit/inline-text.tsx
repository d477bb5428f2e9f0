import type { ReactNode } from 'react'
import {
  figureSign,
  plainInline,
  type Figure as StoryFigure,
  type Inline,
} from '../../../src/analyst/domain/story/story-blocks.ts'
import { Icon } from './icon.tsx'
import { unsaidPlace } from './link-place.ts'
import { Marked } from './marked.tsx'
import styles from './inline-text.module.css'

export interface InlineProps {
  /** Search terms to highlight. */
  readonly words?: readonly string[]
  /** Renders a number with its source, `q_0123.revenue[2]`; by default with a dotted underline. */
  readonly figure?: (figure: StoryFigure, shown: ReactNode) => ReactNode
  /**
   * The person's text: an address that does not occur in it is not a link. Without this text all addresses are links.
   */
  readonly given?: string
}

/** Emphasis, code, links and cited numbers of one line. */
export const InlineText = ({ inside, ...rest }: InlineProps & { inside: readonly Inline[] }): ReactNode =>
  inside.map((one, at) => <One key={at} one={one} {...rest} />)

const One = ({ one, ...rest }: InlineProps & { one: Inline }): ReactNode => {
  const text = (words: string): ReactNode => (rest.words ? <Marked text={words} words={rest.words} /> : words)
  switch (one.kind) {
    case 'text':
      return text(one.text)
    case 'code':
      return <code className={styles.code}>{text(one.text)}</code>
    case 'strong':
      return (
        <strong>
          <InlineText inside={one.inside} {...rest} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineText inside={one.inside} {...rest} />
        </em>
      )
    case 'struck':
      return (
        <s>
          <InlineText inside={one.inside} {...rest} />
        </s>
      )
    case 'link':
      return <OutsideLink href={one.href} inside={one.inside} {...rest} />
    case 'figure':
      return <Figure one={one} {...rest} />
    case 'image':
      return <ImageNote href={one.href} alt={one.alt} />
    case 'break':
      return <br />
  }
}

/** A link that shows its target, because its text may differ. */
const OutsideLink = ({ href, inside, ...rest }: InlineProps & { href: string; inside: readonly Inline[] }) => {
  const words = plainInline(inside)
  const place = unsaidPlace(href, words)
  if (rest.given !== undefined && !rest.given.includes(href))
    return (
      <span title={href}>
        {words.trim() === '' ? href : <InlineText inside={inside} {...rest} />}
        {place !== undefined && words.trim() !== '' && <span className={styles.place}> {place}</span>}
      </span>
    )
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {words.trim() === '' ? href : <InlineText inside={inside} {...rest} />}
      {place !== undefined && words.trim() !== '' && <span className={styles.place}> {place}</span>}
      <span className={styles.leaves}>
        <Icon name="external" size={11} />
      </span>
      <span className="visually-hidden"> (opens elsewhere)</span>
    </a>
  )
}

const Figure = ({ one, ...rest }: InlineProps & { one: StoryFigure }) => {
  const shown = <InlineText inside={one.inside} {...rest} />
  if (rest.figure) return rest.figure(one, shown)
  return (
    <span className={styles.figure} title={one.place}>
      {shown}
      {figureSign(one)}
    </span>
  )
}

/** Replaces an image, which is never fetched: a stranger's server must not learn about the reader. */
const ImageNote = ({ href, alt }: { href: string; alt: string }) => (
  <span className={styles.image}>
    <Icon name="image" size={14} />
    {alt === '' ? 'Image' : alt} <span className={styles.place}>{href}</span>
  </span>
)
