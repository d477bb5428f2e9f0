import { lazy } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { LateOverlay } from '../../kit/late-overlay.tsx'

const Popover = lazy(() => import('./notice-popover.tsx').then((file) => ({ default: file.NoticePopover })))

/** Failed refreshes, stale or failing sources and drift, on every page. Always shown, so that nothing moves. */
export const NoticeButton = () => (
  <LateOverlay trigger={<IconButton icon="bell" label="Notices" title="Notices" />} popup="dialog">
    {(early) => <Popover early={early} />}
  </LateOverlay>
)
