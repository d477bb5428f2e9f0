// Before the first paint, so that a chosen theme does not come after a flash of the other one. The rest is in
// frame/preferences; a script of its own, because the policy of the page runs nothing that stands in it.
try {
  const chosen = localStorage.getItem('ken.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // A browser that keeps nothing shows what the system says.
}
