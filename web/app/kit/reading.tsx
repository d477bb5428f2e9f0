import { useMemo, type ReactNode } from 'react'
import { readMarkdown } from '../../../src/analyst/domain/story/markdown-blocks.ts'
import type { TextBlock } from '../../../src/analyst/domain/story/story-blocks.ts'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import { headingLevels } from './heading-levels.ts'
import { InlineText, type InlineProps } from './inline-text.tsx'
import styles from './reading.module.css'

export interface ReadingProps extends InlineProps {
  /** Markdown from any source: rendered as text only. */
  readonly text: string
  /** Level of the text's first heading, so that it continues the page's headings. */
  readonly heading?: 2 | 3 | 4 | 5 | 6
  /** Uses the interface's small sans instead of the reading column's serif. */
  readonly plain?: boolean
}

/** The only renderer for Markdown. Nothing in it runs and nothing is fetched for it. */
export const Reading = ({ text, heading = 2, plain = false, ...inline }: ReadingProps) => {
  const blocks = useMemo(() => readMarkdown(text), [text])
  const levels = useMemo(() => headingLevels(blocks, heading), [blocks, heading])
  return (
    <div className={classNames(styles.reading, plain && styles.plain)}>
      <Blocks blocks={blocks} levels={levels} inline={inline} />
    </div>
  )
}

interface BlocksProps {
  readonly blocks: readonly TextBlock[]
  readonly levels: ReadonlyMap<TextBlock, number>
  readonly inline: InlineProps
}

/** Parsed blocks, such as those of a story. */
export const Blocks = ({ blocks, ...rest }: BlocksProps) =>
  blocks.map((block, at) => <Block key={at} block={block} {...rest} />)

const Block = ({ block, ...rest }: Omit<BlocksProps, 'blocks'> & { block: TextBlock }): ReactNode => {
  const { levels, inline } = rest
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${levels.get(block) ?? 6}` as 'h2'
      return (
        <Heading className={styles[`level${Math.min(block.level, 3)}`]}>
          <InlineText inside={block.inside} {...inline} />
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p>
          <InlineText inside={block.inside} {...inline} />
        </p>
      )
    case 'list':
      return <ListBlock block={block} {...rest} />
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <Blocks blocks={block.blocks} {...rest} />
        </blockquote>
      )
    case 'code':
      return <CodeBlock language={block.language} text={block.text} />
    case 'rule':
      return <hr />
    case 'rows':
      return <TableBlock block={block} inline={inline} />
  }
}

type Of<K extends TextBlock['kind']> = Extract<TextBlock, { kind: K }>

const ListBlock = ({ block, ...rest }: Omit<BlocksProps, 'blocks'> & { block: Of<'list'> }) => {
  const items = block.items.map((item, at) => (
    <li key={at}>
      <Item blocks={item} {...rest} />
    </li>
  ))
  return block.start === undefined ? (
    <ul className={styles.list}>{items}</ul>
  ) : (
    <ol className={classNames(styles.list, styles.numbered)} start={block.start}>
      {items}
    </ol>
  )
}

/** An item with a single paragraph is a line, not a paragraph. */
const Item = ({ blocks, ...rest }: BlocksProps) => {
  const [first, ...others] = blocks
  if (first?.kind !== 'paragraph') return <Blocks blocks={blocks} {...rest} />
  return (
    <>
      <InlineText inside={first.inside} {...rest.inline} />
      <Blocks blocks={others} {...rest} />
    </>
  )
}

const CodeBlock = ({ language, text }: { language: string; text: string }) => (
  <figure className={styles.code}>
    <figcaption className={styles.language}>
      <span>{language}</span>
      <CopyButton alone text={text} label="Copy the code" />
    </figcaption>
    <pre tabIndex={0} role="group" aria-label={language === '' ? 'Code' : `Code in ${language}`}>
      <code>{text}</code>
    </pre>
  </figure>
)

const TableBlock = ({ block: { align, rows }, inline }: { block: Of<'rows'>; inline: InlineProps }) => {
  const [head = [], ...body] = rows
  return (
    <div className={styles.table} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" className={styles[align[at] ?? 'left']}>
                <InlineText inside={cell} {...inline} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, y) => (
            <tr key={y}>
              {row.map((cell, at) => (
                <td key={at} className={styles[align[at] ?? 'left']}>
                  <InlineText inside={cell} {...inline} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
