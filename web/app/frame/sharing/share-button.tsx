import { useState } from 'react'
import { isOffered, isTeam } from '../../api/server.ts'
import { Button } from '../../kit/button.tsx'
import { ShareDialog, type Shareable } from './share-dialog.tsx'

interface Props extends Shareable {
  readonly shared: 'project' | 'named' | undefined
}

const WORDS = { project: 'Shared with everyone', named: 'Shared' } as const

/** Opens the sharing dialog for one of the reader's items. Hidden if there is nobody else to share with. */
export const ShareButton = ({ shared, ...what }: Props) => {
  const [isOpen, setOpen] = useState(false)
  if (!isTeam() || !isOffered('sharing_set')) return null
  return (
    <>
      <Button size="small" icon={shared === undefined ? 'lock' : 'eye'} onClick={() => setOpen(true)}>
        {shared === undefined ? 'Share' : WORDS[shared]}
      </Button>
      {isOpen && <ShareDialog {...what} onClose={() => setOpen(false)} />}
    </>
  )
}
