-- Commands of the plugin; lua/knowing/init.lua has what they do.
if vim.g.loaded_knowing or vim.fn.has("nvim-0.7") == 0 then
  return
end
vim.g.loaded_knowing = true

vim.api.nvim_create_user_command("Knowing", function(command)
  require("knowing").rank(command.args, command)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Rank the symbols that matter for a task into the quickfix list; without a task, for the selection",
})

vim.api.nvim_create_user_command("KnowingChanges", function(command)
  require("knowing").changes(command.args ~= "" and command.args or nil)
end, { nargs = "?", desc = "Rank what changed since a revision into the quickfix list" })

for name, question in pairs({
  KnowingCallers = "callers",
  KnowingCallees = "callees",
  KnowingImpact = "impact",
  KnowingTests = "tests",
}) do
  vim.api.nvim_create_user_command(name, function(command)
    require("knowing").ask(question, command.args ~= "" and command.args or nil)
  end, { nargs = "?", desc = "List the " .. question .. " of the symbol under the cursor, or of a name" })
end

vim.api.nvim_create_user_command("KnowingWhy", function(command)
  require("knowing").why(command.args ~= "" and command.args or nil)
end, { nargs = "?", desc = "Explain the rank of the symbol under the cursor for the last task" })
