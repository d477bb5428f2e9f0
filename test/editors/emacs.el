;;; Drives Emacs in batch mode: types a line, then asks for everything Ken shows; the answers go to a file as JSON.
(require 'json)
(require 'flymake)

;; A busy machine starts a server slowly.
(setq eglot-connect-timeout nil)

(defun ken-wait-for (what)
  (let ((until (+ (float-time) 120)))
    (while (and (not (funcall what)) (< (float-time) until)) (accept-process-output nil 0.1))
    (funcall what)))

(let ((out (getenv "KEN_TEST_OUT")) (result '()))
  (switch-to-buffer (find-file-noselect (getenv "KEN_TEST_FILE")))
  (js-mode)
  (apply #'eglot (append (eglot--guess-contact) nil))
  (ken-wait-for #'eglot-current-server)
  (goto-char (point-min))
  (insert (getenv "KEN_TEST_LINE") "\n")
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (ken-wait-for (lambda () (accept-process-output nil 0.2) (flymake-diagnostics)))
  (push (cons 'diagnostics
              (vconcat (mapcar (lambda (each) `((message . ,(flymake-diagnostic-text each))
                                                (line . ,(1- (line-number-at-pos (flymake-diagnostic-beg each))))))
                               (flymake-diagnostics))))
        result)
  (goto-char (+ (point-min) (string-to-number (getenv "KEN_TEST_COLUMN"))))
  (let ((ask (lambda (method &optional more)
               (jsonrpc-request (eglot--current-server-or-lose) method
                                (append (eglot--TextDocumentPositionParams) more) :timeout 120))))
    (push (cons 'hover (funcall ask :textDocument/hover)) result)
    (push (cons 'definition (funcall ask :textDocument/definition)) result)
    (push (cons 'actions
                (funcall ask :textDocument/codeAction
                         (list :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                               :context '(:diagnostics []))))
          result)
    (goto-char (point-max))
    (insert "// See D")
    (eglot--signal-textDocument/didChange)
    (push (cons 'completion (funcall ask :textDocument/completion)) result))
  (with-temp-file out (insert (json-encode result))))
(kill-emacs 0)
