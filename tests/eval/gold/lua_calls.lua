-- Writes the calls between a project's functions that happen while a program runs: lua -l lua_calls PROGRAM...
--
-- GOLD_ROOT is the project's folder, GOLD_OUT the file to which lines `caller callee` of `file:line` are appended. The line is that of `function`. A
-- call counts if the line from which it comes has the name by which Lua knows the function there, and if both functions have a name where
-- they are written: `function a.b` or `b = function`.
local root, out = os.getenv("GOLD_ROOT") .. "/", os.getenv("GOLD_OUT")
local calls, texts = {}, {}

local function place(info)
   local path = info.source:sub(1, 1) == "@" and info.source:sub(2) or ""
   path = path:sub(1, #root) == root and path:sub(#root + 1) or path:gsub("^%./", "")
   return path:sub(1, 1) ~= "/" and info.linedefined > 0 and path
end

local function line_of(path, number)
   if not texts[path] then
      local lines, file = {}, io.open(root .. path)
      for line in (file and file:lines() or function() end) do lines[#lines + 1] = line end
      texts[path] = lines
   end
   return texts[path][number] or ""
end

local function is_named(path, number)
   local line = line_of(path, number)
   return line:find("function%s+[%w_.:]+") or line:find("[%w_]%s*=%s*function")
end

local function hook(event)
   if event ~= "call" then return end
   local callee, caller = debug.getinfo(2, "Sn"), debug.getinfo(3, "Sl")
   if not caller or caller.what ~= "Lua" or callee.what ~= "Lua" or not callee.name then return end
   local from, to = place(caller), place(callee)
   local is_written = from and to and line_of(from, caller.currentline):find(callee.name, 1, true)
   if is_written and is_named(from, caller.linedefined) and is_named(to, callee.linedefined) then
      calls[from .. ":" .. caller.linedefined .. " " .. to .. ":" .. callee.linedefined] = true
   end
end

local create, wrap = coroutine.create, coroutine.wrap
coroutine.create = function(f) local thread = create(f) debug.sethook(thread, hook, "c") return thread end
coroutine.wrap = function(f) return wrap(function(...) debug.sethook(hook, "c") return f(...) end) end
local keep = setmetatable({}, { __gc = function()
   local file = io.open(out, "a")
   for call in pairs(calls) do file:write(call, "\n") end
   file:close()
end })
_G.__gold_calls = keep
local exit = os.exit
os.exit = function(code) debug.sethook() exit(code, true) end
debug.sethook(hook, "c")
