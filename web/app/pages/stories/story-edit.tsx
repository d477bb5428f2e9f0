import { useDeferredValue, useMemo, useRef } from 'react'
import { layOutStory } from '../../../../src/analyst/domain/story/lay-out-story.ts'
import { readStory } from '../../../../src/analyst/domain/story/read-story.ts'
import { unifiedDiff } from '../../../../src/kernel/domain/text/unified-diff.ts'
import { useAnswer } from '../../api/queries.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { CodeEditor } from '../../kit/data/code-editor.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Menu } from '../../kit/menu.tsx'
import { completeStory } from './complete-story.ts'
import { BLOCKS, blockFor } from './insert-block.ts'
import { StoryBody } from './story-body.tsx'
import type { ShownStory } from './story-page.tsx'
import { useStoriesSearch } from './use-stories-search.ts'
import { useStoryDraft, type StoryDraft } from './use-story-draft.ts'
import css from './story.module.css'

/** A story's editor, with a preview beside it. */
export function StoryEdit({ story }: { readonly story: ShownStory }) {
  const { setSearch } = useStoriesSearch()
  const leave = (): void => setSearch({ view: undefined })
  const edit = useStoryDraft(story, leave)
  const text = useDeferredValue(edit.text)
  const laid = useMemo(() => layOutStory(text, new Map(story.data.map((one) => [one.query, one]))), [text, story.data])
  const problems = useMemo(() => laid.faults.map(({ line, message }) => ({ line, message })), [laid])
  const complete = useMemo(() => completeStory([...writtenIn(text, story.data), ...story.data]), [text, story.data])
  const sides = useRef<HTMLDivElement>(null)
  const insert = useRef<(text: string) => void>(undefined)
  useKeys([{ keys: 'mod+s', does: 'Save', group: 'Story', run: edit.save }])
  return (
    <article className={css.editing} aria-label={`Edit ${story.title}`}>
      <header className={css.head}>
        <h2 className={css.title}>Edit {story.title}</h2>
        <div className={css.actions}>
          <span className={css.note} role="status">
            {edit.isChanged ? 'Draft kept on this machine' : 'Saved'}
          </span>
          <Menu
            align="end"
            focusAfter={() => sides.current?.querySelector<HTMLElement>('[role="textbox"]') ?? null}
            trigger={
              <Button size="small" icon="plus">
                Insert
              </Button>
            }
            entries={BLOCKS.map(({ kind, label }) => ({
              label,
              onSelect: () => insert.current?.(blockFor(kind, edit.text, story.data)),
            }))}
          />
          {edit.isChanged && (
            <Button size="small" onClick={edit.discard}>
              Discard draft
            </Button>
          )}
          <Button size="small" icon="arrow-left" onClick={leave}>
            Back
          </Button>
          <Button
            size="small"
            look="primary"
            busy={edit.isSaving}
            disabled={!edit.isChanged || edit.text.trim() === ''}
            onClick={edit.save}
          >
            Save
          </Button>
        </div>
      </header>
      {edit.isBehind && <StoryConflict story={story} edit={edit} />}
      {edit.fault !== undefined && !edit.isBehind && <FaultNote fault={edit.fault} again={edit.save} />}
      <div className={css.sides} ref={sides}>
        <CodeEditor
          label={`Text of ${story.title}`}
          language="markdown"
          value={edit.text}
          onChange={edit.set}
          onSave={edit.save}
          problems={problems}
          complete={complete}
          isFilling
          insert={insert}
        />
        <section className={css.preview} aria-label="Preview" tabIndex={0}>
          <StoryBody blocks={laid.blocks} title="" />
        </section>
      </div>
    </article>
  )
}

/** Statements of the text that have no rows yet. */
const writtenIn = (text: string, data: ShownStory['data']) =>
  readStory(text).statements.flatMap(({ query, sql }) =>
    data.some((one) => one.query === query) ? [] : [{ query, sql, columns: [] }],
  )

/** Shown after a concurrent save: both versions side by side, and the choice. */
function StoryConflict({ story: { slug }, edit }: { readonly story: ShownStory; readonly edit: StoryDraft }) {
  const { data } = useAnswer('story_show', { slug })
  const names = useMemo(
    () => ({ before: `Version ${data?.newest ?? ''}, saved meanwhile`, after: 'Your draft' }),
    [data?.newest],
  )
  const diff = useMemo(
    () => (data === undefined ? '' : unifiedDiff(data.text, edit.text, names)),
    [data, edit.text, names],
  )
  return (
    <section className={css.conflict} role="alert">
      <p>
        Version {data?.newest ?? ''} was saved after you started from version {edit.began}. Nothing of yours is lost.
      </p>
      <div className={css.actions}>
        <Button size="small" onClick={edit.discard}>
          Use theirs
        </Button>
        <Button size="small" look="primary" busy={edit.isSaving} onClick={edit.saveOver}>
          Save mine as the next version
        </Button>
      </div>
      {diff !== '' && <TextDiff label="Theirs → yours" diff={diff} names={names} />}
    </section>
  )
}
