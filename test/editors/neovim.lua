-- Drives a headless Neovim: types a line, then asks for everything Ken shows; the answers go to a file as JSON.
local file, typed, out = vim.env.KEN_TEST_FILE, vim.env.KEN_TEST_LINE, vim.env.KEN_TEST_OUT
local PATIENCE = 120000

local function ask(method, more)
  local params = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, PATIENCE) or {}) do
    if answer.result then return answer.result end
  end
end

vim.cmd('edit ' .. vim.fn.fnameescape(file))
local ok = vim.wait(PATIENCE, function() return #vim.lsp.buf_get_clients(0) > 0 end, 50)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { typed })
ok = ok and vim.wait(PATIENCE, function() return #vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.INFO } }) > 0 end, 50)
local result = { ok = ok, diagnostics = {} }
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(result.diagnostics, { line = each.lnum, code = each.code, message = each.message })
end
vim.api.nvim_win_set_cursor(0, { 1, tonumber(vim.env.KEN_TEST_COLUMN) })
result.hover = ask('textDocument/hover')
result.definition = ask('textDocument/definition')
result.actions = ask('textDocument/codeAction', { range = vim.lsp.util.make_given_range_params({ 1, 0 }, { 1, 1 }).range, context = { diagnostics = {} } })
local last = vim.api.nvim_buf_line_count(0)
vim.api.nvim_buf_set_lines(0, last, last, false, { '// See D' })
vim.api.nvim_win_set_cursor(0, { last + 1, 0 })
local params = vim.lsp.util.make_position_params()
params.position.character = #'// See D'
result.completion = ask('textDocument/completion', params)
local answer = io.open(out, 'w')
answer:write(vim.fn.json_encode(result))
answer:close()
vim.cmd('qall!')
