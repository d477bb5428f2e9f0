import { useMemo } from 'react'
import { unifiedDiff } from '../../../../src/kernel/domain/text/unified-diff.ts'
import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { TextDiff } from '../../kit/data/text-diff.tsx'
import type { ShownStory } from './story-page.tsx'
import type { StoryDraft } from './use-story-draft.ts'
import css from './story.module.css'

/** Shown after a concurrent save: both versions side by side, and the choice. */
export function StoryConflict({ story: { slug }, edit }: { readonly story: ShownStory; readonly edit: StoryDraft }) {
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
