import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Page } from '../../../frame/page.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { Split } from '../../../kit/split.tsx'
import { VirtualList } from '../../../kit/virtual-list.tsx'
import { MemoryTabs } from '../memory-tabs.tsx'
import { notesRoute } from '../routes.ts'
import { NewNote } from './new-note.tsx'
import { NoteEditor } from './note-editor.tsx'
import page from '../memory-page.module.css'
import styles from './notes.module.css'

const LONG_TERM = 'MEMORY.md'

/** The notes, by file: long-term ones, and a log for each day. */
export const NotesPage = () => {
  usePageTitle('Notes')
  const project = useProject()
  const navigate = useNavigate()
  const { file } = notesRoute.useSearch()
  const { data, error, isPending, refetch } = useAnswer('notes_list', {})
  const open = (name: string | undefined): void =>
    void navigate({
      to: '/$project/memory/notes',
      params: { project },
      search: name === undefined ? {} : { file: name },
    })
  const files = withLongTerm(data?.files ?? [])
  return (
    <Page title="Memory" layout="fill" views={<MemoryTabs />}>
      <div className={page.page}>
        <div className={page.head}>
          <NewNote />
        </div>
        <div className={page.body}>
          {isPending ? (
            <Skeleton rows={6} />
          ) : error !== null ? (
            <FaultNote fault={error} again={() => void refetch()} />
          ) : (
            <Split
              name="notes"
              listLabel="Note files"
              list={
                <VirtualList
                  label="Note files"
                  items={files}
                  keyOf={({ name }) => name}
                  open={file ?? files[0]?.name}
                  onOpen={({ name }) => open(name)}
                  isMain
                >
                  {({ name, notes }) => (
                    <span className={styles.file}>
                      <span>{name === LONG_TERM ? 'Long-term notes' : dayOf(name)}</span>
                      <span className={styles.count}>
                        {notes} {notes === 1 ? 'note' : 'notes'}
                      </span>
                    </span>
                  )}
                </VirtualList>
              }
              detail={file !== undefined && <NoteEditor key={file} name={file} />}
              empty={files[0] && <NoteEditor key={files[0].name} name={files[0].name} />}
              onBack={() => open(undefined)}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

interface NoteFile {
  readonly name: string
  readonly notes: number
}

/** Adds the long-term file to the list, because it can be edited before it exists. */
const withLongTerm = (files: readonly NoteFile[]): readonly NoteFile[] =>
  files.some(({ name }) => name === LONG_TERM) ? files : [{ name: LONG_TERM, notes: 0 }, ...files]

function dayOf(name: string): string {
  const time = new Date(`${name.replace(/\.md$/, '')}T12:00:00Z`)
  return Number.isNaN(time.getTime()) ? name : DAY.format(time)
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' })
