import { CSPProvider } from '@base-ui/react/csp-provider'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { codesWanted } from '../api/confirmation.ts'
import { popups } from '../kit/popups.ts'
import { useStore } from '../kit/store.ts'
import { Toasts } from '../kit/toast.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Away } from './connection/away.tsx'
import { connection, watchConnection } from './connection/connection.ts'
import { Inspector } from './inspector/inspector.tsx'
import { useInspector } from './inspector/use-inspector.ts'
import { listenToKeys } from './keys/listen-to-keys.ts'
import { keyTable } from './keys/use-keys.ts'
import { paletteState, typedEarly } from './palette/palette-state.ts'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useFrameActions } from './use-frame-actions.ts'
import { useFrameKeys } from './use-frame-keys.ts'
import { usePageFocus } from './use-page-focus.ts'
import styles from './frame.module.css'

const loadPalette = () => import('./palette/palette.tsx').then(({ Palette }) => ({ default: Palette }))
const Palette = lazy(loadPalette)
const KeyList = lazy(() => import('./keys/key-list.tsx').then(({ KeyList }) => ({ default: KeyList })))

const ConfirmChange = lazy(() => import('./confirm-change.tsx').then((file) => ({ default: file.ConfirmChange })))

// After this time the page itself is visible.
const PALETTE_AFTER_MS = 1_000

/** The frame of every page: the sidebar, the top bar, the inspector, and overlays. */
export const Frame = () => {
  const inspector = useInspector()
  const main = useRef<HTMLDivElement>(null)
  const [isListing, setListing] = useState(false)
  const palette = useStore(paletteState)
  const state = useStore(connection)
  const [wanted] = useStore(codesWanted)
  const client = useQueryClient()
  useEffect(() => listenToKeys(keyTable, typedEarly), [])
  useEffect(() => watchConnection(client), [client])
  // Preloaded, so that text typed after the shortcut reaches the palette.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), PALETTE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  usePageFocus(main)
  const showKeys = (): void => setListing(true)
  useFrameKeys({ inspector, showKeys })
  useFrameActions({ inspector, showKeys })
  return (
    <CSPProvider nonce={NONCE}>
      <div className={styles.frame} inert={state !== 'there'}>
        <SkipLink to={main} />
        <Sidebar />
        <div className={styles.middle}>
          <TopBar inspector={inspector} />
          <main className={styles.main}>
            <div ref={main} id="main" className={styles.page} tabIndex={-1}>
              <Outlet />
            </div>
            <div ref={popups} />
          </main>
          <BottomBar />
        </div>
        <Inspector state={inspector} />
      </div>
      <Toasts />
      <Suspense>
        {palette && <Palette typed={palette.words} />}
        {wanted && <ConfirmChange key={wanted.key} wanted={wanted} />}
        {isListing && <KeyList onClose={() => setListing(false)} />}
      </Suspense>
      {state !== 'there' && <Away state={state} />}
    </CSPProvider>
  )
}

// Base UI writes a few styles into the page; the policy allows those with the server's nonce.
const NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

const SkipLink = ({ to }: { to: { readonly current: HTMLElement | null } }) => (
  <a
    href="#main"
    className={styles.skip}
    onClick={(event) => {
      // The URL describes the page content, not the focus.
      event.preventDefault()
      to.current?.focus()
    }}
  >
    Skip to the content
  </a>
)
