-- The plugin in a headless Neovim, in the sample; assets/editors/check runs it:
-- KNOWING=PROGRAM nvim --headless -u NONE --cmd "set rtp+=FOLDER" -c "runtime plugin/knowing.lua" -S FOLDER/test.lua
local plugin = require("knowing")
plugin.setup({ command = vim.env.KNOWING })

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then
    error("timeout: " .. what .. "\n" .. vim.fn.execute("messages"))
  end
end

local function list(title)
  wait(title, function()
    return vim.fn.getqflist({ title = 1 }).title:find(title, 1, true) ~= nil
  end)
  return vim.fn.getqflist()
end

local function check()
  vim.cmd("edit lending/session.py")
  vim.cmd("Knowing a session ends while its reader renews loans")
  local items = list("a session ends")
  assert(#items > 3, "few symbols: " .. #items)
  local names = table.concat(vim.tbl_map(function(item)
    return item.text
  end, items), "\n")
  assert(names:find("LoanDesk.renew", 1, true), names)
  vim.cmd("cfirst")
  assert(vim.fn.expand("%:p"):find("/lending/", 1, true), vim.fn.expand("%:p"))
  assert(vim.fn.getline("."):find("def ", 1, true), vim.fn.getline("."))

  local offered
  vim.ui.select = function(choices, options, done)
    offered = options.format_item(choices[2])
    done(choices[2], 2)
  end
  vim.cmd("Knowing! who takes the fine of a late book")
  wait("the choice", function()
    return offered ~= nil
  end)
  assert(vim.fn.getqflist({ idx = 0 }).idx == 2, vim.fn.getqflist({ idx = 0 }).idx)
  assert(offered:find("lending/", 1, true), offered)

  local opened
  package.loaded["telescope.builtin"] = {
    quickfix = function(options)
      opened = "telescope " .. options.prompt_title
    end,
  }
  plugin.setup({ picker = true })
  vim.cmd("KnowingCallers fine_cents")
  wait("telescope", function()
    return opened ~= nil
  end)
  assert(opened == "telescope knowing: callers of fine_cents", opened)
  package.loaded["snacks"] = {
    picker = {
      qflist = function(options)
        opened = "snacks " .. options.title
      end,
    },
  }
  vim.cmd("KnowingTests fine_cents")
  wait("snacks", function()
    return opened:find("snacks", 1, true) ~= nil
  end)
  plugin.setup({ picker = false })

  vim.cmd("KnowingCallers fine_cents")
  assert(#list("callers of fine_cents") == 2)

  vim.cmd("edit! lending/session.py")
  vim.cmd("1,1Knowing")
  list("Who is signed in")

  vim.cmd("KnowingWhy SessionStore.touch")
  wait("why", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, 1, false)
        return lines[1]:find("SessionStore.touch", 1, true) ~= nil
      end
    end
    return false
  end)
  assert(plugin.statusline():find("Who is signed in", 1, true), plugin.statusline())
end

local ok, problem = pcall(check)
if not ok then
  io.stderr:write(tostring(problem) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qall!")
