;;; Ken in Emacs with eglot (built in since Emacs 29; before that `package-install' it or Debian's elpa-eglot).
;; eglot runs one server per buffer, so this names the modes in which that server is Ken.
(require 'eglot)
(add-to-list 'eglot-server-programs '((markdown-mode text-mode js-mode json-mode yaml-mode conf-mode) . ("ken" "lsp")))

(defun ken-eglot-ensure ()
  "Start Ken where a repository has a record."
  (when (and buffer-file-name (locate-dominating-file buffer-file-name ".ken/config.json"))
    (eglot-ensure)))
(dolist (hook '(markdown-mode-hook text-mode-hook js-mode-hook json-mode-hook yaml-mode-hook conf-mode-hook))
  (add-hook hook #'ken-eglot-ensure))
