-- knowing in Neovim: rankings and answers in the quickfix list, explanations in a window.
--
-- Every list comes from `knowing … --format lines`, whose lines are `path:line:column: kind name  score`.
local M = {}

-- The program, options that every call gets, and whether lists open in a picker; `:Knowing!` opens one in any case.
M.config = { command = "knowing", arguments = {}, picker = false }

-- The last task, for `why` and for a statusline.
M.task = nil

-- Sets options: `require("knowing").setup({ command = "/path/to/knowing" })`.
function M.setup(options)
  M.config = vim.tbl_extend("force", M.config, options or {})
end

-- Returns the folder whose repository is asked: that of the file, else the current one.
local function folder()
  local file = vim.api.nvim_buf_get_name(0)
  local parent = file ~= "" and vim.fn.fnamemodify(file, ":p:h") or vim.fn.getcwd()
  return vim.fn.isdirectory(parent) == 1 and parent or vim.fn.getcwd()
end

-- Returns the root of the repository of a folder.
local function root_of(start)
  local git = vim.fn.finddir(".git", vim.fn.escape(start, " ,;") .. ";")
  if git == "" then
    git = vim.fn.findfile(".git", vim.fn.escape(start, " ,;") .. ";")
  end
  return git ~= "" and vim.fn.fnamemodify(git, ":p"):gsub("/%.git/?$", "") or start
end

-- Runs the program without blocking; `done(lines, messages, code)` is called in the main loop. `input` is its standard input.
local function run(arguments, input, done)
  local command = { M.config.command }
  vim.list_extend(command, M.config.arguments)
  vim.list_extend(command, arguments)
  local out, err, code, open = {}, {}, 0, 3
  -- The exit and the ends of both streams are reported in any order.
  local function close()
    open = open - 1
    if open == 0 then
      vim.schedule(function()
        done(out, err, code)
      end)
    end
  end
  local function collect(into)
    return function(_, data)
      -- The last piece of a line is empty when the output ends with a line break.
      vim.list_extend(into, data)
      if into[#into] == "" then
        table.remove(into)
      end
      close()
    end
  end
  local ok, job = pcall(vim.fn.jobstart, command, {
    cwd = root_of(folder()),
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = collect(out),
    on_stderr = collect(err),
    on_exit = function(_, status)
      code = status
      close()
    end,
  })
  if not ok or job <= 0 then
    vim.notify("knowing: can't run `" .. M.config.command .. "`", vim.log.levels.ERROR)
    return
  end
  if input then
    vim.fn.chansend(job, input)
  end
  vim.fn.chanclose(job, "stdin")
end

-- Opens the quickfix list in the picker that there is: that of snacks, telescope, or vim.ui.select.
local function pick(title, items)
  local has_snacks, snacks = pcall(require, "snacks")
  if has_snacks and snacks.picker then
    return snacks.picker.qflist({ title = title })
  end
  local has_telescope, telescope = pcall(require, "telescope.builtin")
  if has_telescope then
    return telescope.quickfix({ prompt_title = title })
  end
  local function format(item)
    return item.text .. "  " .. vim.fn.fnamemodify(item.filename, ":.") .. ":" .. item.lnum
  end
  vim.ui.select(items, { prompt = title, format_item = format }, function(_, index)
    if index then
      vim.cmd("cc " .. index)
    end
  end)
end

-- Fills the quickfix list with locations and opens it, or a picker over it.
local function fill(title, lines, messages, code, picker)
  if code > 1 then
    vim.notify("knowing: " .. table.concat(messages, "\n"), vim.log.levels.ERROR)
    return
  end
  if #lines == 0 then
    vim.notify("knowing: " .. (messages[1] or "nothing was found"), vim.log.levels.WARN)
    return
  end
  local root, items = root_of(folder()), {}
  for _, line in ipairs(lines) do
    local file, number, column, text = line:match("^(.-):(%d+):(%d+): (.*)$")
    if file then
      local path = file:sub(1, 1) == "/" and file or root .. "/" .. file
      table.insert(items, { filename = path, lnum = tonumber(number), col = tonumber(column), text = text })
    end
  end
  vim.fn.setqflist({}, " ", { title = title, items = items })
  if picker or M.config.picker then
    pick(title, items)
  else
    vim.cmd("copen")
  end
end

-- Ranks for a task. Without one, the selected lines are the task, or a prompt asks for it.
function M.rank(task, command)
  if task == "" and command and command.range > 0 then
    local lines = vim.api.nvim_buf_get_lines(0, command.line1 - 1, command.line2, false)
    task = table.concat(lines, "\n")
  end
  if task == "" then
    vim.ui.input({ prompt = "Task: ", default = M.task }, function(answer)
      if answer and answer ~= "" then
        M.rank(answer, command)
      end
    end)
    return
  end
  M.task = task
  run({ "context", "-", "--format", "lines" }, task, function(lines, messages, code)
    fill("knowing: " .. task:match("[^\n]*"), lines, messages, code, command and command.bang)
  end)
end

-- Ranks what changed since a revision.
function M.changes(revision)
  revision = revision or "HEAD"
  run({ "context", "--pr", revision, "--format", "lines" }, nil, function(lines, messages, code)
    fill("knowing: changes since " .. revision, lines, messages, code)
  end)
end

-- Asks `callers`, `callees`, `impact` or `tests` about a name, or about the word under the cursor.
function M.ask(question, name)
  name = name or vim.fn.expand("<cword>")
  run({ question, name, "--format", "lines" }, nil, function(lines, messages, code)
    fill("knowing: " .. question .. " of " .. name, lines, messages, code)
  end)
end

-- Shows why a symbol has its rank for the last task.
function M.why(name)
  if not M.task then
    vim.notify("knowing: :Knowing TASK comes first", vim.log.levels.WARN)
    return
  end
  name = name or vim.fn.expand("<cword>")
  run({ "why", "--symbol", name, "--task", "-" }, M.task, function(lines, messages, code)
    if code ~= 0 then
      vim.notify("knowing: " .. table.concat(messages, "\n"), vim.log.levels.WARN)
      return
    end
    vim.lsp.util.open_floating_preview(lines, "text", { border = "rounded", focus_id = "knowing", max_width = 100 })
  end)
end

-- Returns the last task, shortened, for a statusline.
function M.statusline()
  return M.task and "knowing: " .. M.task:match("[^\n]*"):sub(1, 40) or ""
end

return M
