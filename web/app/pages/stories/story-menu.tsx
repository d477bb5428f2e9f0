import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import { useAct, useProject } from '../../api/queries.ts'
import { isOffered } from '../../api/server.ts'
import { useActions } from '../../frame/actions.ts'
import { IconButton } from '../../kit/button.tsx'
import { bytesOf, download } from '../../kit/data/download.ts'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { showToast } from '../../kit/toast-store.ts'
import type { ShownStory } from './story-page.tsx'
import { StorySchedule } from './story-schedule.tsx'

type Format = Calls['story_export']['input']['as']

/** Occasional actions on a story: exports, its schedule, archiving. */
export function StoryMenu({ story }: { readonly story: ShownStory }) {
  const [isScheduling, setScheduling] = useState(false)
  const { isBusy, save } = useExport(story)
  const archive = useArchive(story)
  const isOwn = story.owner === undefined
  const canSchedule = isOwn && isOffered('story_schedule')
  useActions([
    { name: `Download “${story.title}” as PDF`, icon: 'download', run: () => save('pdf') },
    ...(canSchedule
      ? [{ name: `Schedule “${story.title}”`, icon: 'clock' as const, run: () => setScheduling(true) }]
      : []),
  ])
  const files: readonly MenuEntry[] = [
    { label: 'Download HTML', icon: 'download', onSelect: () => save('html') },
    { label: 'Download PDF', icon: 'download', onSelect: () => save('pdf') },
    { label: 'Download Markdown', icon: 'download', onSelect: () => save('md') },
    { label: 'Print', icon: 'print', onSelect: () => window.print() },
  ]
  const schedule: MenuEntry = { label: 'Schedule', icon: 'clock', onSelect: () => setScheduling(true) }
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton size="small" icon="more" label="More for this story" busy={isBusy} />}
        entries={
          !isOwn
            ? files
            : [
                ...(canSchedule ? [schedule, 'line' as const] : []),
                ...files,
                'line',
                story.archived_at === undefined
                  ? { label: 'Archive', icon: 'archive', onSelect: archive.putAway }
                  : { label: 'Restore', icon: 'undo', onSelect: archive.bringBack },
              ]
        }
      />
      {isScheduling && <StorySchedule story={story} onClose={() => setScheduling(false)} />}
    </>
  )
}

function useExport({ id, slug, version, owner }: ShownStory) {
  const project = useProject()
  const [isBusy, setBusy] = useState(false)
  const save = (as: Format): void => {
    setBusy(true)
    call(project, 'story_export', { slug: owner === undefined ? slug : id, as, version })
      .then(({ text, base64 }) => download(base64 === undefined ? (text ?? '') : bytesOf(base64), `${slug}.${as}`))
      .catch((fault: Error) => showToast({ text: fault.message, tone: 'bad' }))
      .finally(() => setBusy(false))
  }
  return { isBusy, save }
}

function useArchive({ slug, title }: ShownStory) {
  const away = useAct('story_archive')
  const back = useAct('story_unarchive')
  const failed = (fault: Error): void => void showToast({ text: fault.message, tone: 'bad' })
  return {
    putAway: () =>
      away.mutate(
        { slug },
        {
          onSuccess: () => showToast({ text: `Archived “${title}”`, undo: () => back.mutateAsync({ slug }) }),
          onError: failed,
        },
      ),
    bringBack: () =>
      back.mutate({ slug }, { onSuccess: () => showToast({ text: `Restored “${title}”` }), onError: failed }),
  }
}
