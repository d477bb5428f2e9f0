// Before the first paint, so that a dark theme does not come after a flash of the light one. The rest is in
// frame/preferences; a script of its own, because the policy of the page runs nothing that stands in it.
{
  let chosen
  try {
    chosen = localStorage.getItem('ken.theme')
  } catch {
    // A browser that keeps nothing shows what the system says.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system
}
