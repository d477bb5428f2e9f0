import { entry } from '../../operations/registry-entry.ts'

/** The setup operations, in display order. */
export const SETUP_OPERATIONS = [
  entry('start', 'cli', ['start'], () => import('./start.ts').then((file) => file.start)),
  entry('init', 'cli', ['init', 'projects init'], () => import('./init.ts').then((file) => file.init)),
  entry('adopt', 'cli', ['adopt', 'projects adopt'], () => import('./adopt.ts').then((file) => file.adopt)),
  entry('attach', 'cli', ['attach', 'projects attach'], () => import('./attach.ts').then((file) => file.attach)),
  entry('reconnect', 'cli', ['reconnect', 'projects reconnect'], () =>
    import('./reconnect.ts').then((file) => file.reconnect),
  ),
  entry('setup', 'cli', ['setup'], () => import('./setup.ts').then((file) => file.setup)),
  entry('uninstall', 'cli', ['uninstall'], () => import('./uninstall.ts').then((file) => file.uninstall)),
  entry('clients_list', 'cli', ['clients', 'clients list'], () =>
    import('./clients.ts').then((file) => file.clientsList),
  ),
  entry('agents_md', 'cli', ['agents-md'], () => import('./agents-md.ts').then((file) => file.agentsMd)),
  entry('docs', 'cli', ['docs'], () => import('./docs.ts').then((file) => file.docs)),
  entry('demo', 'cli', ['demo'], () => import('./demo.ts').then((file) => file.demo)),
  entry('status', 'cli', ['status'], () => import('./status.ts').then((file) => file.status)),
  entry('config_list', 'cli', ['config', 'config list'], () => import('./config.ts').then((file) => file.configList)),
  entry('config_get', 'cli', ['config get'], () => import('./config.ts').then((file) => file.configGet)),
  entry('config_set', 'cli', ['config set'], () => import('./config.ts').then((file) => file.configSet)),
  entry('config_unset', 'cli', ['config unset'], () => import('./config.ts').then((file) => file.configUnset)),
  entry('privacy', 'cli', ['privacy'], () => import('./privacy.ts').then((file) => file.privacy)),
  entry('storage', 'cli', ['storage'], () => import('./storage.ts').then((file) => file.storage)),
  entry('token_show', 'cli', ['token', 'token show'], () => import('./token.ts').then((file) => file.tokenShow)),
  entry('token_renew', 'cli', ['token renew'], () => import('./token.ts').then((file) => file.tokenRenew)),
  entry('browsers_list', 'cli', ['browsers', 'browsers list'], () =>
    import('./browsers.ts').then((file) => file.browsersList),
  ),
  entry('browsers_end', 'cli', ['browsers end'], () => import('./browsers.ts').then((file) => file.browsersEnd)),
  entry('confirm', 'cli', ['confirm'], () => import('./confirm.ts').then((file) => file.confirm)),
  entry('telemetry_status', 'cli', ['telemetry', 'telemetry status'], () =>
    import('./telemetry.ts').then((file) => file.telemetryStatus),
  ),
  entry('telemetry_enable', 'cli', ['telemetry enable'], () =>
    import('./telemetry.ts').then((file) => file.telemetryEnable),
  ),
  entry('telemetry_disable', 'cli', ['telemetry disable'], () =>
    import('./telemetry.ts').then((file) => file.telemetryDisable),
  ),
]
