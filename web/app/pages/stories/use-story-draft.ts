import { useQueryClient } from '@tanstack/react-query'
import { useAct, useProject } from '../../api/queries.ts'
import { showToast } from '../../kit/toast-store.ts'
import { useDraft } from '../../kit/use-draft.ts'
import type { ShownStory } from './story-page.tsx'

export interface StoryDraft {
  readonly text: string
  readonly isChanged: boolean
  readonly isSaving: boolean
  /** Whether the story was saved elsewhere since the draft was started. */
  readonly isBehind: boolean
  /** The version that the draft is based on. */
  readonly began: number
  readonly fault: unknown
  set(text: string): void
  save(): void
  /** Overwrites another person's save, which is kept as a version. */
  saveOver(): void
  discard(): void
}

/** A new text of a story, kept until it is saved; saving is refused if the story has changed since. */
export function useStoryDraft(story: ShownStory, onSaved: () => void): StoryDraft {
  const { slug, newest } = story
  const act = useAct('story_edit')
  const project = useProject()
  const draft = useDraft(`${project}.story.${slug}`, story.text, String(newest))
  const client = useQueryClient()
  const began = Number(draft.base ?? newest)
  const send = (from_version: number): void => {
    if (act.isPending || !draft.isChanged || draft.text.trim() === '') return
    act.mutate(
      { slug, text: draft.text, from_version },
      {
        onSuccess: ({ version }) => {
          if (!draft.sent(draft.text, String(version))) onSaved()
          showToast({ text: `Saved version ${version}` })
        },
        // Refetches, so that the concurrent version is shown beside the draft.
        onError: ({ code }) => code === 'conflict' && client.invalidateQueries({ queryKey: [project] }),
      },
    )
  }
  return {
    text: draft.text,
    isChanged: draft.isChanged,
    isSaving: act.isPending,
    isBehind: draft.isChanged && !act.isPending && (began < newest || act.error?.code === 'conflict'),
    began,
    fault: act.error ?? undefined,
    set: draft.set,
    save: () => send(began),
    saveOver: () => send(newest),
    discard() {
      const before = draft.text
      draft.clear()
      act.reset()
      showToast({ text: 'Draft discarded', undo: () => draft.set(before) })
    },
  }
}
