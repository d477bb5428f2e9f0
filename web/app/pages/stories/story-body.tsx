import { Fragment, useMemo, type ReactNode } from 'react'
import { commentable } from '../../../../src/analyst/domain/story/comment-places.ts'
import {
  figureSign,
  plainInline,
  type Figure,
  type LaidBlock,
  type TextBlock,
} from '../../../../src/analyst/domain/story/story-blocks.ts'
import { classNames } from '../../kit/class-names.ts'
import { ChartView } from '../../kit/data/chart-view.tsx'
import { headingLevels } from '../../kit/heading-levels.ts'
import { Blocks } from '../../kit/reading.tsx'
import { StoryTable } from './story-table.tsx'
import reading from '../../kit/reading.module.css'
import css from './story.module.css'

interface StoryBodyProps {
  readonly blocks: readonly LaidBlock[]
  /** Title shown above the body; a first heading with the same text is left out. */
  readonly title: string
  readonly onFigure?: (place: string) => void
  /** Puts something around each block that can be commented on, by its number from the top. */
  readonly around?: (block: number, shown: ReactNode) => ReactNode
}

/** Text, charts, tables and grids of a story, in the order they were written. */
export function StoryBody({ blocks: all, title, onFigure, around }: StoryBodyProps) {
  const blocks = useMemo(() => withoutTitle(all, title), [all, title])
  const numbers = useMemo(() => new Map(commentable(all).map((block, at) => [block, at + 1])), [all])
  const levels = useMemo(() => headingLevels(textsOf(blocks), 3), [blocks])
  const figure = (one: Figure, shown: ReactNode): ReactNode => {
    const sign = figureSign(one)
    const { place } = one
    return (
      <>
        {onFigure === undefined || place === '' ? (
          <span className={css.figure}>{shown}</span>
        ) : (
          <button type="button" className={css.figure} title={titleOf(one)} onClick={() => onFigure(place)}>
            {shown}
          </button>
        )}
        {sign !== '' && <span className={css.doubt}>{sign}</span>}
        {one.was !== undefined && <span className={css.moved}> was {one.was}</span>}
      </>
    )
  }
  const wrap = (block: LaidBlock, shown: ReactNode): ReactNode => {
    const number = numbers.get(block)
    return around === undefined || number === undefined ? shown : around(number, shown)
  }
  return <Laid blocks={blocks} levels={levels} inline={{ figure }} wrap={wrap} />
}

const titleOf = ({ place, state, note }: Figure): string =>
  `Shows ${place}${state === undefined && note !== undefined ? ` (${note})` : ''}`

type Rest = Pick<Parameters<typeof Blocks>[0], 'levels' | 'inline'> & {
  readonly wrap: (block: LaidBlock, shown: ReactNode) => ReactNode
}

const Laid = ({ blocks, ...rest }: Rest & { readonly blocks: readonly LaidBlock[] }) =>
  runsOf(blocks).map((run, at) =>
    'texts' in run ? (
      <div key={at} className={classNames(reading.reading, css.texts)}>
        {run.texts.map((text, nth) => (
          <Fragment key={nth}>
            {rest.wrap(text, <Blocks blocks={[text]} levels={rest.levels} inline={rest.inline} />)}
          </Fragment>
        ))}
      </div>
    ) : (
      <Fragment key={at}>{rest.wrap(run.block, <Part block={run.block} {...rest} />)}</Fragment>
    ),
  )

type DrawnBlock = Exclude<LaidBlock, TextBlock>

function Part({ block, ...rest }: Rest & { readonly block: DrawnBlock }) {
  switch (block.kind) {
    case 'chart':
      return (
        <div className={css.part}>
          <ChartView chart={block.chart} data={block.data} />
          {block.moved?.map(({ place, was }) => (
            <p key={place} className={css.note}>
              {block.moved!.length > 1 && `${place.slice(place.indexOf('.') + 1)} `}
              <span className={css.moved}>was {was} before the last refresh</span>
            </p>
          ))}
        </div>
      )
    case 'table':
      return <StoryTable table={block} />
    case 'problem':
      return <p className={css.problem}>{sentence(block.text)}</p>
    case 'grid':
      return (
        <div className={css.grid} data-columns={block.columns}>
          {block.cells.map((cell, at) => (
            <div key={at} className={css.cell}>
              <Laid blocks={cell} {...rest} />
            </div>
          ))}
        </div>
      )
  }
}

const sentence = (line: string): string =>
  `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.!?]$/.test(line) ? '' : '.'}`

type Run = { readonly texts: readonly TextBlock[] } | { readonly block: DrawnBlock }

/** Groups consecutive texts, which share one column. */
function runsOf(blocks: readonly LaidBlock[]): readonly Run[] {
  const runs: ({ texts: TextBlock[] } | { block: DrawnBlock })[] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (isDrawn(block)) runs.push({ block })
    else if (last !== undefined && 'texts' in last) last.texts.push(block)
    else runs.push({ texts: [block] })
  }
  return runs
}

const isDrawn = (block: LaidBlock): block is DrawnBlock =>
  block.kind === 'chart' || block.kind === 'table' || block.kind === 'problem' || block.kind === 'grid'

const textsOf = (blocks: readonly LaidBlock[]): TextBlock[] =>
  blocks.flatMap((block) =>
    block.kind === 'grid' ? block.cells.flatMap((cell) => textsOf(cell)) : isDrawn(block) ? [] : [block],
  )

const withoutTitle = (blocks: readonly LaidBlock[], title: string): readonly LaidBlock[] =>
  hasTitle(blocks, title) ? blocks.slice(1) : blocks

/** Whether the first block is the title, which is shown above the body. */
export function hasTitle([first]: readonly LaidBlock[], title: string): boolean {
  return first?.kind === 'heading' && first.level === 1 && plainInline(first.inside).trim() === title.trim()
}
