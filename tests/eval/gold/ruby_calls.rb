# Writes the calls between a project's methods that happen while its tests run: ruby -r./ruby_calls.rb TEST...
#
# GOLD_ROOT is the project's folder, GOLD_OUT the file to which lines `caller callee` of `file:line` are appended. The line is that of `def`. A call
# counts if the line from which it comes has the method's name; a block belongs to the method that it is in; `initialize` is left out.
module GoldCalls
  ROOT = File.realpath(ENV.fetch("GOLD_ROOT")) + "/"
  CALLS = {}
  LINES = {}
  TEXTS = Hash.new { |texts, path| texts[path] = File.readlines(path) rescue [] }

  def self.place(point)
    path = point.path
    path.start_with?(ROOT) ? path.delete_prefix(ROOT) : nil
  end

  def self.enter(point, stack)
    path = place(point)
    own = path && [path, point.lineno]
    LINES[[path, point.method_id]] ||= point.lineno if path
    from = stack.last
    stack.push(own)
    return unless own && from && !CALLS.key?([from, own]) && point.method_id != :initialize
    site = caller_locations(3, 1)&.first
    return unless site && site.absolute_path == ROOT + from[0]
    text = TEXTS[site.absolute_path][site.lineno - 1].to_s
    name = point.method_id.to_s.sub(/=\z/, "")
    CALLS[[from, own]] = true if text.match?(/(?<!\w)#{Regexp.escape(name)}(?!\w)/)
  end

  POINT = TracePoint.new(:call, :return, :b_call, :b_return, :c_call, :c_return) do |point|
    stack = (Thread.current[:gold_calls] ||= [])
    case point.event
    when :call then enter(point, stack)
    when :b_call
      path = place(point)
      line = path && point.method_id && LINES[[path, point.method_id]]
      stack.push(line && [path, line])
    when :c_call then stack.push(nil)
    else stack.pop
    end
  end

  at_exit do
    POINT.disable
    File.open(ENV.fetch("GOLD_OUT"), "a") do |file|
      CALLS.each_key { |from, to| file.puts("#{from.join(":")} #{to.join(":")}") }
    end
  end
  POINT.enable
end
