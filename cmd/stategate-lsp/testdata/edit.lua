-- What a person does in Neovim: open a document, break it, see the finding, take the cure, read about the rule. Nothing is saved.
local server, stategate, dir, file, report = unpack(vim.split(vim.env.STATEGATE_LSP_EDIT, '\n'))
local said = {}

local function finding(text)
  local found
  local seen = vim.wait(60000, function()
    for _, d in ipairs(vim.diagnostic.get(0)) do
      if d.message:find(text, 1, true) then
        found = d
        return true
      end
    end
    return false
  end, 20)
  return seen and found or nil
end

local function go()
  vim.cmd('edit ' .. vim.fn.fnameescape(dir .. '/' .. file))
  local client = vim.lsp.start_client({ name = 'stategate', cmd = { server, '--stategate', stategate }, root_dir = dir })
  vim.lsp.buf_attach_client(0, client)
  said.opened = finding('current_round is 3') ~= nil
  vim.api.nvim_buf_set_text(0, 6, 19, 6, 20, { '12' })
  local d = finding('current_round is 12')
  said.edited = d and { d.lnum, d.col, d.end_lnum, d.end_col, d.severity } or 'no finding'
  local where = { start = { line = 6, character = 19 }, ['end'] = { line = 6, character = 21 } }
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), range = where, position = where.start, context = { diagnostics = {}, only = { 'quickfix' } } }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000) or {}) do
    for _, action in ipairs(answer.result or {}) do
      said.action = action.title
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
    end
  end
  said.line = vim.api.nvim_buf_get_lines(0, 6, 7, false)[1]
  said.cured = vim.wait(60000, function() return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) == 0 end, 20)
  vim.api.nvim_buf_set_text(0, 6, 19, 6, 20, { '7' })
  finding('current_round is 7')
  params.position = { line = 6, character = 19 }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 60000) or {}) do
    said.hover = answer.result and answer.result.contents.value
  end
end

local ok, err = pcall(go)
if not ok then
  said.failed = err
end
local f = io.open(report, 'w')
f:write(vim.json and vim.json.encode(said) or vim.fn.json_encode(said))
f:close()
vim.cmd('qall!')
