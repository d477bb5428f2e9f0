-- Ken in Neovim 0.7 or newer. Save as ~/.config/nvim/plugin/ken.lua; it runs beside your other language servers.
local function config(root)
  return { name = 'ken', cmd = { 'ken', 'lsp' }, root_dir = root }
end

local clients = {}
local function attach(args)
  local file = vim.api.nvim_buf_get_name(args.buf)
  if file == '' or vim.bo[args.buf].buftype ~= '' then return end
  local found = vim.fn.findfile('.ken/config.json', vim.fn.fnamemodify(file, ':p:h') .. ';')
  if found == '' then return end
  local root = vim.fn.fnamemodify(found, ':p:h:h')
  if vim.lsp.start then return vim.lsp.start(config(root), { bufnr = args.buf }) end
  clients[root] = clients[root] or vim.lsp.start_client(config(root))
  vim.lsp.buf_attach_client(args.buf, clients[root])
end
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, { callback = attach })

-- "Propose to supersede" asks for what only you know, then sends it.
vim.lsp.commands['ken.propose'] = function(command, ctx)
  vim.ui.input({ prompt = 'The new decision in one line: ' }, function(title)
    if not title or title == '' then return end
    vim.ui.input({ prompt = 'Why does the old one no longer hold? ' }, function(rationale)
      if not rationale or rationale == '' then return end
      local input = vim.tbl_extend('force', command.arguments[1], { title = title, rationale = rationale })
      local client = vim.lsp.get_client_by_id(ctx.client_id)
      client.request('workspace/executeCommand', { command = 'ken.propose', arguments = { input } })
    end)
  end)
end
