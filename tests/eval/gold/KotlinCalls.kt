// A plugin of the Kotlin compiler that writes the calls of a module, as lines `caller callee` of `file:line`, sorted, to the file that
// GOLD_OUT names, with paths below GOLD_ROOT. The line is that of the definition's name; a constructor stands for its class; code outside of
// functions belongs to its property or class. Calls that nobody wrote have the third word `implied`.
@file:OptIn(org.jetbrains.kotlin.compiler.plugin.ExperimentalCompilerApi::class, org.jetbrains.kotlin.ir.symbols.UnsafeDuringIrConstructionAPI::class)

import java.io.File
import java.util.TreeSet
import org.jetbrains.kotlin.backend.common.extensions.IrGenerationExtension
import org.jetbrains.kotlin.backend.common.extensions.IrPluginContext
import org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar
import org.jetbrains.kotlin.config.CompilerConfiguration
import org.jetbrains.kotlin.ir.IrElement
import org.jetbrains.kotlin.ir.declarations.*
import org.jetbrains.kotlin.ir.expressions.*
import org.jetbrains.kotlin.ir.util.fileOrNull
import org.jetbrains.kotlin.ir.util.parentAsClass
import org.jetbrains.kotlin.ir.visitors.IrVisitorVoid
import org.jetbrains.kotlin.ir.visitors.acceptChildrenVoid

class Registrar : CompilerPluginRegistrar() {
    override val supportsK2 = true
    override val pluginId = "gold"

    override fun ExtensionStorage.registerExtensions(configuration: CompilerConfiguration) {
        IrGenerationExtension.registerExtension(Calls())
    }
}

class Calls : IrGenerationExtension {
    private val root = File(System.getenv("GOLD_ROOT")).canonicalFile
    private val lines = TreeSet<String>()

    override fun generate(moduleFragment: IrModuleFragment, pluginContext: IrPluginContext) {
        for (file in moduleFragment.files) file.acceptChildrenVoid(Visitor(File(file.fileEntry.name).readText()))
        File(System.getenv("GOLD_OUT")).writeText(lines.joinToString("\n", postfix = "\n"))
    }

    private fun place(declaration: IrDeclaration?, name: String): String? {
        val file = declaration?.fileOrNull ?: return null
        if (declaration.startOffset < 0) return null
        val path = File(file.fileEntry.name).canonicalFile
        if (!path.startsWith(root)) return null
        // Annotations and comments precede the name.
        val text = path.readText().replace("\r\n", "\n")
        val pattern = if (declaration is IrClass) "\\b(class|interface|object)\\s+`?$name`?" else "\\b$name`?\\s*[(<:=]"
        val found = Regex(pattern).find(text, declaration.startOffset)?.takeIf { it.range.first < declaration.endOffset }
        val at = found?.let { it.value.indexOf(name) + it.range.first } ?: declaration.startOffset
        return "${path.relativeTo(root)}:${text.take(at).count { it == '\n' } + 1}"
    }

    private fun target(function: IrFunction): String? = when (function) {
        is IrConstructor -> place(function.parentAsClass, function.parentAsClass.name.asString())
        is IrSimpleFunction -> when {
            function.correspondingPropertySymbol != null -> null
            function.isFakeOverride -> function.overriddenSymbols.firstOrNull()?.owner?.let(::target)
            function.origin == IrDeclarationOrigin.DEFINED -> place(function, function.name.asString())
            else -> null
        }
    }

    private inner class Visitor(private val text: String, private val caller: String? = null) : IrVisitorVoid() {
        override fun visitElement(element: IrElement) = element.acceptChildrenVoid(this)

        override fun visitClass(declaration: IrClass) =
            declaration.acceptChildrenVoid(if (declaration.name.isSpecial) this else inside(declaration, declaration.name.asString()))

        override fun visitFunction(declaration: IrFunction) = declaration.acceptChildrenVoid(
            when {
                declaration is IrSimpleFunction && declaration.correspondingPropertySymbol != null -> this
                declaration.name.isSpecial || declaration.origin != IrDeclarationOrigin.DEFINED -> this
                else -> inside(declaration, declaration.name.asString())
            })

        override fun visitProperty(declaration: IrProperty) =
            declaration.acceptChildrenVoid(inside(declaration, declaration.name.asString()))

        override fun visitFunctionAccess(expression: IrFunctionAccessExpression) {
            val callee = expression.symbol.owner
            val found = target(callee)
            if (caller != null && found != null && expression.startOffset >= 0) {
                val name = if (callee is IrConstructor) callee.parentAsClass.name else callee.name
                val written = text.substring(expression.startOffset, minOf(expression.endOffset, text.length).coerceAtLeast(expression.startOffset))
                lines.add(if (Regex("\\b${name.asString()}\\b").containsMatchIn(written)) "$caller $found" else "$caller $found implied")
            }
            expression.acceptChildrenVoid(this)
        }

        private fun inside(declaration: IrDeclaration, name: String) = Visitor(text, place(declaration, name) ?: caller)
    }
}
